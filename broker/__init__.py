"""The embedded MQTT broker and its configuration: carries messages, is trusted with nothing."""
