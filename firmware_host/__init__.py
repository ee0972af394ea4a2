"""The service: rules, table, screens, shell, store, command."""
