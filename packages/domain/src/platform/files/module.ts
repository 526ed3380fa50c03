import { Effect } from "effect"
import { defineArea } from "../../kernel/index.ts"
import { sweepOrganizations } from "../background/index.ts"
import { Files, FileSweep } from "./Files.ts"

/** The ports that a storage adapter provides of this area. */
const filesStorage = [FileSweep, Files] as const

/** The bytes of files that nothing names are deleted. */
export const fileTasks = [
  sweepOrganizations(
    "files",
    Effect.flatMap(FileSweep, (files) => files.sweep()),
    // Who is erased must be gone with their files soon.
    "housekeeping"
  )
] as const

/** What this area says of itself. */
export const filesArea = defineArea({
  name: "platform/files",
  storage: filesStorage,
  works: fileTasks
})
