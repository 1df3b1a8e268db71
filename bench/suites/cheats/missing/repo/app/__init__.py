"""An application that lacks a module."""
