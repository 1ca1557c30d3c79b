"""Request, candidates, policy and pricing in; an outcome with bundle or witness out. Pure."""
