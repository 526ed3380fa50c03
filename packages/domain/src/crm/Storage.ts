import { ContactFields } from "./ContactFields.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { Contacts } from "./Contacts.ts"
import { Duplicates } from "./Duplicates.ts"
import { Segments } from "./Segments.ts"
import { Suppressions } from "./Suppressions.ts"
import { Tags } from "./Tags.ts"
import { ContactImportRemains, ContactImports } from "./imports/ContactImports.ts"

/** The ports that a storage adapter provides of this area. */
export const crmStorage = [
  ContactFields,
  ContactHistory,
  ContactImportRemains,
  ContactImports,
  Contacts,
  Duplicates,
  Segments,
  Suppressions,
  Tags
] as const
