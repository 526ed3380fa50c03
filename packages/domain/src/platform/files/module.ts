import { Effect } from "effect"
import { defineArea } from "../../kernel/index.ts"
import { sweepOrganizations } from "../background/index.ts"
import { Files, FileSweep } from "./Files.ts"

const filesStorage = [FileSweep, Files] as const

/** Deletes the bytes of unreferenced files. */
export const fileTasks = [
  sweepOrganizations(
    "files",
    Effect.flatMap(FileSweep, (files) => files.sweep()),
    // Housekeeping runs soon enough to delete the files of erased people in time.
    "housekeeping"
  )
] as const

export const filesArea = defineArea({
  name: "platform/files",
  storage: filesStorage,
  backgroundTasks: fileTasks
})
