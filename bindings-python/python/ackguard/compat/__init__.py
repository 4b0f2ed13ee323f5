"""Drop-ins for SDKs that people already have. Each is a module of its own, imported by name."""
