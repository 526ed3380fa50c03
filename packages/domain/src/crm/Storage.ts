import type { ContactFields } from "./ContactFields.ts"
import type { ContactHistory } from "./ContactHistory.ts"
import type { Contacts } from "./Contacts.ts"
import type { Duplicates } from "./Duplicates.ts"
import type { Segments } from "./Segments.ts"
import type { Suppressions } from "./Suppressions.ts"
import type { Tags } from "./Tags.ts"
import type { ContactImportRemains, ContactImports } from "./imports/ContactImports.ts"

/** What a storage adapter provides of this area. */
export type CrmStorage =
  | ContactFields
  | ContactHistory
  | ContactImportRemains
  | ContactImports
  | Contacts
  | Duplicates
  | Segments
  | Suppressions
  | Tags
