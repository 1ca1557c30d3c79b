"""contextc over HTTP: `app` puts the parts together, `run` serves it, `openapi` describes it."""
