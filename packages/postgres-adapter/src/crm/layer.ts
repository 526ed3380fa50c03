import { Layer } from "effect"
import * as ContactFields from "./ContactFields.ts"
import * as ContactHistory from "./ContactHistory.ts"
import * as ContactImportCleanup from "./ContactImportCleanup.ts"
import * as ContactImports from "./ContactImports.ts"
import * as Contacts from "./Contacts.ts"
import * as Duplicates from "./Duplicates.ts"
import * as Segments from "./Segments.ts"
import * as Suppressions from "./Suppressions.ts"
import * as Tags from "./Tags.ts"

export const layer = Layer.mergeAll(
  ContactFields.layer,
  ContactHistory.layer,
  ContactImportCleanup.layer,
  ContactImports.layer,
  Contacts.layer,
  Duplicates.layer,
  Segments.layer,
  Suppressions.layer,
  Tags.layer
)
