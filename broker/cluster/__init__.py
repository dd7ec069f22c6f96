"""Several machines as one broker: NATS servers, each with all that the others have retained."""
