/** Whether the media type is among those that the caller accepts, by its own name. */
export const acceptsType = (accept: string | undefined, mediaType: string) =>
  accept !== undefined &&
  accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
