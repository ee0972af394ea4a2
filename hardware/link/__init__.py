"""The host's end of the serial link to the microcontroller."""
