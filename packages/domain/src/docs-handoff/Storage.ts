import type { DocsCodeRedemption, DocsCodes } from "./DocsCodes.ts"

/** What a storage adapter provides of this area. */
export type DocsHandoffStorage = DocsCodeRedemption | DocsCodes
