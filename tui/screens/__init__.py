"""The places of the app, one module each, loaded when somebody goes there."""
