import type { FileId } from "@parley/domain/platform"
import type {
  ConsentChange,
  Contact,
  ContactField,
  ContactFieldId,
  ContactId,
  ContactImportId,
  ContactMerge,
  ContactMergeId,
  DuplicateLink,
  ImportIssue,
  StoredImport,
  Segment,
  SegmentId,
  Tag,
  TagId,
  TimelineNote
} from "@parley/domain/crm"
import { type DateTime, HashMap } from "effect"

/** An import of contacts, and its bad rows in their order. */
export interface ImportRow {
  readonly order: StoredImport
  readonly faults: ReadonlyArray<ImportIssue>
}

/** History entry of a contact and its previous contacts before merges, oldest first. */
export interface HistoryRow<Entry> {
  readonly contactId: ContactId
  readonly handedBy: ReadonlyArray<ContactMergeId>
  readonly entry: Entry
}

/** Rows of one organization in this folder. */
export interface CrmTenant {
  readonly consents: ReadonlyArray<HistoryRow<ConsentChange>>
  readonly contactFields: HashMap.HashMap<ContactFieldId, ContactField>
  /** Contact identities by kind and key. */
  readonly contactIdentities: HashMap.HashMap<string, ContactId>
  /** The files that came for imports, and when they were expected. */
  readonly contactFiles: HashMap.HashMap<FileId, DateTime.Utc>
  readonly contactImports: HashMap.HashMap<ContactImportId, ImportRow>
  readonly contactMerges: HashMap.HashMap<ContactMergeId, ContactMerge>
  readonly contactNotes: ReadonlyArray<HistoryRow<TimelineNote>>
  readonly contacts: HashMap.HashMap<ContactId, Contact>
  readonly duplicateLinks: ReadonlyArray<DuplicateLink>
  readonly segments: HashMap.HashMap<SegmentId, Segment>
  /** Sealed; `null` until the first opt-out is stored. */
  readonly suppressionKey: string | null
  /** Times of the stored opt-outs, by digest. */
  readonly suppressions: HashMap.HashMap<string, DateTime.Utc>
  readonly tags: HashMap.HashMap<TagId, Tag>
}

export const emptyCrmTenant: CrmTenant = {
  consents: [],
  contactFields: HashMap.empty(),
  contactIdentities: HashMap.empty(),
  contactFiles: HashMap.empty(),
  contactImports: HashMap.empty(),
  contactMerges: HashMap.empty(),
  contactNotes: [],
  contacts: HashMap.empty(),
  duplicateLinks: [],
  segments: HashMap.empty(),
  suppressionKey: null,
  suppressions: HashMap.empty(),
  tags: HashMap.empty()
}
