/** A path is spelled in one way only, so that whatever stands in front of the service reads it as the service does. */
export const routing = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  // As long as a path can be: what is too long for an id is told so, like whatever else no id can be.
  maxParamLength: 65_536
} as const
