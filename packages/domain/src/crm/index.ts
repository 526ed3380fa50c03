export * from "./Attributes.ts"
export * from "./Consent.ts"
export type { ConsentStep } from "./consentRecords.ts"
export * from "./Contact.ts"
export { applyContactPatch, buildContact, maxIdentities } from "./contactDrafts.ts"
export * from "./ContactFields.ts"
export {
  ContactHistory,
  ContactMerge,
  HistoryEntry,
  ContactMergeResult,
  maxExportedEntries,
  type Survivor,
  type TimelineNote,
  ContactUnmergeResult,
  currentContactId
} from "./ContactHistory.ts"
export {
  type AnyContactDataOwner,
  type ContactDataOwner,
  ContactDataOwners,
  type TimelineEntryOf,
  type TimelineEntryShape,
  type ExportedDataOf,
  type ExportedData,
  layerContactDataOwnersOf,
  type MergeStep,
  type ContactDataServices,
  type UndoneMerge
} from "./ContactDataOwner.ts"
export { contactCursorKey, expandContacts } from "./contactListing.ts"
export * from "./Contacts.ts"
export * from "./contactSearch.ts"
export { loadSearchedPage } from "./searchPages.ts"
export { mergeDuplicates } from "./duplicateMerging.ts"
export type { IdentityPair } from "./duplicatePairs.ts"
export * from "./Duplicates.ts"
export * from "./errors.ts"
export { type ConsentPath, CrmEvent } from "./events.ts"
export {
  FilterField,
  filterOperators,
  isFilterField,
  maxFilterDays,
  negateFilter,
  type OperatorReaders,
  describeOperators,
  nonEmptyList,
  timeOperators,
  valueReader
} from "./filter/conditionOperators.ts"
export type { ContactListRequest } from "./filter/contactFilter.ts"
export {
  type ContactFilterField,
  ContactFilterFields,
  defineFilterField,
  type AreaFilterField,
  FilterValueType,
  layerContactFilterFieldsOf,
  allFilterOperators
} from "./filter/ContactFilterFields.ts"
export * from "./filter/Filter.ts"
export * from "./filter/filterFields.ts"
export * from "./filter/filterMatching.ts"
export * from "./filter/filterReading.ts"
export * from "./filter/filterResolution.ts"
export * from "./Identity.ts"
export { headerAliases, partialNameHeaders } from "./imports/columnMatching.ts"
export { type ContactFile, FileTooLarge, toStorableText } from "./imports/ContactFile.ts"
export * from "./imports/ContactImport.ts"
export * from "./imports/importJob.ts"
export { joinTagNames, splitTagNames, TagSeparator } from "./imports/tagNames.ts"
export { crmEventConsumers, crmTasks } from "./module.ts"
export * from "./optOuts.ts"
export * from "./PhoneNumber.ts"
export * from "./receivedContacts.ts"
export * from "./searchReindex.ts"
export * from "./Segments.ts"
export { findSuppressed, type Suppression, Suppressions } from "./Suppressions.ts"
export { NewTag, defaultTagColor, Tag, TagPatch, TagRef, Tags } from "./Tags.ts"
export * from "./use-cases/contactExports.ts"
export * from "./use-cases/contactFields.ts"
export * from "./use-cases/contactImports.ts"
export * from "./use-cases/contacts.ts"
export * from "./use-cases/mergesAndDuplicates.ts"
export * from "./use-cases/privacy.ts"
export * from "./use-cases/segments.ts"
export * from "./use-cases/tags.ts"
