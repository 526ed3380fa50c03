import { DocsCodeRedemption, DocsCodes } from "./DocsCodes.ts"

/** The ports that a storage adapter provides of this area. */
export const docsHandoffStorage = [DocsCodeRedemption, DocsCodes] as const
