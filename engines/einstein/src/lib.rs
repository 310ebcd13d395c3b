//! The EinStein wuerfelt nicht engine.
