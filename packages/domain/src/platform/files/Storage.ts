import { FileSweep, Files } from "./Files.ts"

/** The ports that a storage adapter provides of this area. */
export const filesStorage = [FileSweep, Files] as const
