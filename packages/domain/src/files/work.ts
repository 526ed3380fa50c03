import { Effect } from "effect"
import { sweep } from "../work/index.ts"
import { FileSweep } from "./Files.ts"

/** The bytes of files that nothing names are deleted. */
export const filesWorks = [
  sweep(
    "files",
    Effect.flatMap(FileSweep, (files) => files.sweep)
  )
] as const
