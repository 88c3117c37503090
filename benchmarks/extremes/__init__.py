"""Extreme valid inputs of every public function, and the properties that its values must have there."""
