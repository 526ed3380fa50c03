import type { FileSweep, Files } from "./Files.ts"

/** What a storage adapter provides of this area. */
export type FilesStorage = FileSweep | Files
