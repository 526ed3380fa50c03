import { contactFields } from "./contactFields.ts"
import { contactFilters } from "./contactFilters.ts"
import { contactHistory } from "./contactHistory.ts"
import { contactIdentities } from "./contactIdentities.ts"
import { contactImports } from "./contactImports.ts"
import { contactLists } from "./contactLists.ts"
import { contactLocks } from "./contactLocks.ts"
import { contactMerges } from "./contactMerges.ts"
import { contactSearches } from "./contactSearches.ts"
import { contactTagCounts } from "./contactTagCounts.ts"
import { contactTags } from "./contactTags.ts"
import { contactValues } from "./contactValues.ts"
import { contactWords } from "./contactWords.ts"
import { contacts } from "./contacts.ts"
import { duplicates } from "./duplicates.ts"
import { renderedContacts } from "./renderedContacts.ts"
import { segments } from "./segments.ts"
import { suppressions } from "./suppressions.ts"
import { tags } from "./tags.ts"

export { contactFieldsContract } from "./contactFields.ts"
export { contactFiltersContract } from "./contactFilters.ts"
export { contactHistoryContract } from "./contactHistory.ts"
export { contactIdentitiesContract } from "./contactIdentities.ts"
export { contactImportsContract } from "./contactImports.ts"
export { contactListsContract } from "./contactLists.ts"
export { contactLocksContract } from "./contactLocks.ts"
export { contactMergesContract } from "./contactMerges.ts"
export { contactSearchesContract } from "./contactSearches.ts"
export { contactTagCountsContract } from "./contactTagCounts.ts"
export { contactTagsContract } from "./contactTags.ts"
export { contactValuesContract } from "./contactValues.ts"
export { contactWordsContract } from "./contactWords.ts"
export { contactsContract } from "./contacts.ts"
export { duplicatesContract } from "./duplicates.ts"
export { renderedContactsContract } from "./renderedContacts.ts"
export { segmentsContract } from "./segments.ts"
export { suppressionsContract } from "./suppressions.ts"
export { tagsContract } from "./tags.ts"

export const crmContracts = [
  tags,
  contactFields,
  segments,
  contacts,
  contactValues,
  contactLocks,
  contactIdentities,
  contactTags,
  contactTagCounts,
  contactLists,
  contactSearches,
  contactFilters,
  renderedContacts,
  contactWords,
  contactHistory,
  contactMerges,
  contactImports,
  suppressions,
  duplicates
]
