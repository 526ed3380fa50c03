const suffix = ":file"

/** Returns the stored id of a file that follows its placeholder. Both messages have the same id at the provider, and a stored id is unique. */
export const toFollowingFileId = (providerMessageId: string): string => `${providerMessageId}${suffix}`

/** Returns the id that the provider knows, from the stored id of a message. */
export const toProviderMessageId = (storedId: string): string =>
  storedId.endsWith(suffix) ? storedId.slice(0, -suffix.length) : storedId
