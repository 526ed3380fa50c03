import { Context, Effect, Layer } from "effect"
import {
  invalid,
  NotFound,
  type TenantScoped,
  type Transaction,
  ValidationFailed,
  type ValidationIssue
} from "../../../kernel/index.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import type { SampleFile, TemplateApproval } from "../TemplateApproval.ts"
import type { TemplateComponents, TemplateFileId, TemplateHeaderMedia } from "./TemplateComponents.ts"

/** Sample file of a template, with its pointer in the template. */
export interface TemplateSample {
  readonly id: TemplateFileId
  readonly format: TemplateHeaderMedia["format"]
  readonly pointer: string
}

/** Files of samples. The inbox owns the files and implements this port. */
export class TemplateSamples extends Context.Service<
  TemplateSamples,
  TenantScoped<{
    /** Fails unless the file can be a sample of the format. Marks it as used, which prevents its deletion by the sweep. */
    readonly claim: (sample: TemplateSample) => Effect.Effect<void, NotFound | ValidationFailed, Transaction>
    /** Reads the complete file. Call it outside a unit of work. */
    readonly read: (sample: TemplateSample) => Effect.Effect<SampleFile, NotFound>
  }>
>()("@parley/domain/messaging/chat/TemplateSamples") {
  /** Knows no files. */
  static readonly layerNone = Layer.succeed(TemplateSamples, {
    claim: ({ pointer }) => Effect.fail(invalid(pointer, "Expected an uploaded file")),
    read: ({ pointer }) => Effect.fail(new NotFound({ resource: "media", pointer }))
  })
}

const isVisual = (format: string): format is TemplateHeaderMedia["format"] =>
  format === "image" || format === "video" || format === "document" || format === "gif"

/** Returns the samples of a template. */
export const samplesOf = ({ cards = [], header }: TemplateComponents): ReadonlyArray<TemplateSample> =>
  [
    { header, at: "/components/header" },
    ...cards.map((card, at) => ({ header: card.header, at: `/components/cards/${at}/header` }))
  ].flatMap(({ at, header }) =>
    header !== undefined && "mediaId" in header && header.mediaId !== undefined && isVisual(header.format)
      ? [{ id: header.mediaId, format: header.format, pointer: `${at}/mediaId` }]
      : []
  )

const issuesOf = (error: NotFound | ValidationFailed, pointer: string): ReadonlyArray<ValidationIssue> =>
  error._tag === "ValidationFailed" ? error.errors : [{ pointer, message: "This file does not exist" }]

/** Claims all samples of a template. Fails with the given issues and the issues of all samples. */
export const claimSamples = Effect.fnUntraced(function* (
  components: TemplateComponents,
  issues: ReadonlyArray<ValidationIssue>
) {
  const { claim } = yield* TemplateSamples
  const [, failures] = yield* Effect.partition(samplesOf(components), (sample) =>
    Effect.mapError(claim(sample), (error) => ({ error, pointer: sample.pointer }))
  )
  const [first] = failures
  if (first?.error._tag === "NotFound" && failures.length + issues.length === 1) return yield* first.error
  const errors = [...issues, ...failures.flatMap(({ error, pointer }) => issuesOf(error, pointer))]
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** Uploads the samples of a template to the provider, and returns their handles. */
export const uploadSamples = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: ProviderConnection,
  components: TemplateComponents
) {
  const samples = yield* TemplateSamples
  const handles = new Map<string, string>()
  for (const sample of samplesOf(components)) {
    if (handles.has(sample.id)) continue
    handles.set(sample.id, yield* templates.uploadSample(line, yield* samples.read(sample)))
  }
  return handles
})
