export * from "./Attributes.ts"
export * from "./Consent.ts"
export type { ConsentStep } from "./consentRecords.ts"
export * from "./Contact.ts"
export { changedContact, draftContact, mostIdentities } from "./contactDrafts.ts"
export * from "./ContactFields.ts"
export {
  ContactHistory,
  ContactMerge,
  HistoryEntry,
  Merged,
  mostExported,
  type Survivor,
  type TimelineNote,
  Unmerged,
  wholeOf
} from "./ContactHistory.ts"
export {
  type AnyHolding,
  type ContactHolding,
  ContactHoldings,
  type EntryOf,
  type EntryShape,
  type HeldOf,
  type HeldShape,
  layerContactHoldingsOf,
  type Move,
  type NeedsOf,
  type UndoneMerge
} from "./ContactHolding.ts"
export { contactKey, expandContacts } from "./contactListing.ts"
export * from "./Contacts.ts"
export * from "./contactSearch.ts"
export { mergeDuplicates } from "./duplicateMerging.ts"
export type { IdentityPair } from "./duplicatePairs.ts"
export * from "./Duplicates.ts"
export * from "./errors.ts"
export { type ConsentPath, CrmEvent } from "./events.ts"
export {
  FilterField,
  filterOperators,
  isFilterField,
  mostFilterDays,
  negated,
  type Operators,
  operatorsInWords,
  someOf,
  timeOperators,
  valueReader
} from "./filter/conditionOperators.ts"
export type { ContactListRequest } from "./filter/contactFilter.ts"
export {
  type ContactFilterField,
  ContactFilterFields,
  defineFilterField,
  type FilterFieldOfArea,
  layerContactFilterFieldsOf,
  operatorsWith
} from "./filter/ContactFilterFields.ts"
export * from "./filter/Filter.ts"
export * from "./filter/filterMatching.ts"
export * from "./filter/filterReading.ts"
export * from "./filter/filterResolution.ts"
export * from "./Identity.ts"
export { columnNames, halfNames } from "./imports/columnMatching.ts"
export { type ContactFile, FileTooLarge, storable } from "./imports/ContactFile.ts"
export * from "./imports/ContactImport.ts"
export * from "./imports/importJob.ts"
export { joinTagNames, splitTagNames, TagSeparator } from "./imports/tagNames.ts"
export { crmReactions, crmWorks } from "./module.ts"
export * from "./optOuts.ts"
export * from "./PhoneNumber.ts"
export * from "./receivedContacts.ts"
export * from "./refolding.ts"
export * from "./Segments.ts"
export { findSuppressed, type Suppression, Suppressions } from "./Suppressions.ts"
export { NewTag, plainColor, Tag, TagPatch, TagRef, Tags } from "./Tags.ts"
export * from "./use-cases/contactExports.ts"
export * from "./use-cases/contactFields.ts"
export * from "./use-cases/contactImports.ts"
export * from "./use-cases/contacts.ts"
export * from "./use-cases/mergesAndDuplicates.ts"
export * from "./use-cases/privacy.ts"
export * from "./use-cases/segments.ts"
export * from "./use-cases/tags.ts"
