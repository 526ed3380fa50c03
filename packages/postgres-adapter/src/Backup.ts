export type { ArchivedTable, SequencePosition } from "./backup/catalog.ts"
export { countHeldWork, type HeldWork, type Hold, holdReader, placeHold, readHold, releaseHold } from "./backup/hold.ts"
export { brokenInvariants, countRows, type InvariantResult } from "./backup/invariants.ts"
export {
  checkTarget,
  DatabaseInUse,
  DatabaseNotEmpty,
  readSchema,
  type Replacement,
  restoreApplication,
  restoreInto,
  type RestoredFrom
} from "./backup/restoration.ts"
export { withScratchDatabase } from "./backup/scratch.ts"
export { openSnapshot, type Snapshot } from "./backup/snapshot.ts"
