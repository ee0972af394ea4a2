"""The microcontroller's firmware, in MicroPython.

Copy ``main.py``, ``board.py``, ``firmware.py`` and ``wire.py`` to the Pico, all four into its top folder:
``mpremote cp hardware/mcu/main.py hardware/mcu/board.py hardware/mcu/firmware.py hardware/mcu/wire.py :``
then ``mpremote reset``.  To get at its prompt again, hold *back* while it is plugged in.
"""
