import { type DateTime, Effect, Stream } from "effect"
import type { ProviderConnection } from "./ProviderConnection.ts"
import type { MessageTemplate, TemplateCategory, TemplateComponents, TemplateStatus } from "./MessageTemplate.ts"
import type { ChannelFailure } from "./errors.ts"
import type { AuthenticationContent } from "./templates/TemplateComponents.ts"
import type { LibraryQuery, LibraryTemplate, LibraryButtonInput } from "./templates/LibraryTemplate.ts"

/** Template of a provider. Components that Parley does not know are in `components.unsupported`. */
export interface ProviderTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  readonly components: TemplateComponents
  readonly status: Exclude<TemplateStatus, "draft">
  readonly rejectionReason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
  readonly qualityAt: DateTime.Utc | null
  /** Category that the provider considers correct; `null` if it is the present one. */
  readonly announcedCategory: TemplateCategory | null
  readonly timeToLive: number | null
  readonly libraryName: string | null
}

/** Complete sample file for an upload. */
export interface SampleFile {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly filename: string
}

/** Handles of uploaded samples, by the id of the file in Parley. */
export type SampleHandles = ReadonlyMap<string, string>

/** Template for submission. */
export interface TemplateSubmission extends Pick<
  ProviderTemplate,
  "name" | "language" | "category" | "components" | "timeToLive"
> {
  readonly handles: SampleHandles
}

/** Change of a submitted template. New components replace all former ones. */
export interface TemplateEdit extends Pick<TemplateSubmission, "handles"> {
  /** `null` leaves the components. */
  readonly components: TemplateComponents | null
  /** `null` leaves the category. */
  readonly category: TemplateCategory | null
  /** `null` leaves the time to live. */
  readonly timeToLive: number | null
}

/** Creation from a template of the provider's library. */
export interface LibrarySubmission extends Pick<ProviderTemplate, "name" | "language" | "category"> {
  readonly libraryName: string
  readonly buttons: ReadonlyArray<LibraryButtonInput>
}

/** Answer to a submission. */
export type SubmittedTemplate = Pick<ProviderTemplate, "externalId" | "status" | "category">

/** Authentication templates with one name and one content in several languages. */
export interface AuthenticationUpsert extends Pick<ProviderTemplate, "name" | "timeToLive"> {
  readonly languages: ReadonlyArray<string>
  readonly authentication: AuthenticationContent
}

/** Answer to an upsert for one language. */
export type UpsertedTemplate = Pick<ProviderTemplate, "externalId" | "language" | "status">

/** Submission of templates to a provider, which reviews and stores them. */
export interface TemplateApproval {
  /** Uploads a sample file for reviewers, and returns its handle. */
  readonly uploadSample: (line: ProviderConnection, file: SampleFile) => Effect.Effect<string, ChannelFailure>
  readonly submit: (
    line: ProviderConnection,
    template: TemplateSubmission
  ) => Effect.Effect<SubmittedTemplate, ChannelFailure>
  readonly submitFromLibrary: (
    line: ProviderConnection,
    template: LibrarySubmission
  ) => Effect.Effect<SubmittedTemplate, ChannelFailure>
  /** Creates or replaces authentication templates in several languages. The same call can be repeated. */
  readonly upsertAuthentication: (
    line: ProviderConnection,
    templates: AuthenticationUpsert
  ) => Effect.Effect<ReadonlyArray<UpsertedTemplate>, ChannelFailure>
  readonly edit: (
    line: ProviderConnection,
    externalId: string,
    edit: TemplateEdit
  ) => Effect.Effect<void, ChannelFailure>
  /** Ends a pause that the provider does not end automatically. */
  readonly unpause: (line: ProviderConnection, externalId: string) => Effect.Effect<void, ChannelFailure>
  /** Archives templates, which cannot be sent then. The same call can be repeated. */
  readonly archive: (
    line: ProviderConnection,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<void, ChannelFailure>
  readonly unarchive: (
    line: ProviderConnection,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<void, ChannelFailure>
  readonly remove: (line: ProviderConnection, name: string, externalId: string) => Effect.Effect<void, ChannelFailure>
  /** Lists all templates of the business account, page by page. */
  readonly list: (line: ProviderConnection) => Stream.Stream<ProviderTemplate, ChannelFailure>
  /** Lists templates of the provider's library. */
  readonly library: (
    line: ProviderConnection,
    query: LibraryQuery
  ) => Effect.Effect<ReadonlyArray<LibraryTemplate>, ChannelFailure>
}

/** The provider stores a deleted template for some time, but its name and language are free. */
const isDeleted = ({ status }: ProviderTemplate) => status === "deleted" || status === "pending_deletion"

/** Returns the provider's template with the same name and language; `null` if none exists. */
export const findProviderTemplate = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: ProviderConnection,
  { language, name }: Pick<MessageTemplate, "language" | "name">
) {
  const [kept] = yield* templates.list(line).pipe(
    Stream.filter((each) => each.name === name && each.language === language && !isDeleted(each)),
    Stream.take(1),
    Stream.runCollect
  )
  return kept ?? null
})
