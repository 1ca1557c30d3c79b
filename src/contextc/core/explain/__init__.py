"""From a trace or a witness to sentences. Needs no code that made them."""
