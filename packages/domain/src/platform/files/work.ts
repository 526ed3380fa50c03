import { Effect } from "effect"
import { sweepTenants } from "../background/index.ts"
import { FileSweep } from "./Files.ts"

/** The bytes of files that nothing names are deleted. */
export const filesWorks = [
  sweepTenants(
    "files",
    Effect.flatMap(FileSweep, (files) => files.sweep()),
    // Who is erased must be gone with their files soon.
    "housekeeping"
  )
] as const
