import { Effect, Stream } from "effect"
import type { ProviderConnection } from "./ProviderConnection.ts"
import type { MessageTemplate } from "./MessageTemplate.ts"
import type { ChannelFailure } from "./errors.ts"

/** Part of a template in the provider's form. */
export type TemplatePart =
  | {
      readonly type: "header"
      readonly format: "text" | "image" | "video" | "document" | "location"
      readonly text: string | null
      readonly example: ReadonlyArray<string>
    }
  | { readonly type: "body"; readonly text: string; readonly example: Readonly<Record<string, string>> }
  | { readonly type: "footer"; readonly text: string }
  | {
      readonly type: "buttons"
      readonly buttons: ReadonlyArray<
        | { readonly type: "quick_reply"; readonly text: string }
        | { readonly type: "url"; readonly text: string; readonly url: string; readonly example: string | null }
        | { readonly type: "phone_number"; readonly text: string; readonly phone: string }
        | { readonly type: "copy_code"; readonly example: string }
      >
    }

/** Template in the provider's form. */
export interface ProviderTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly named: boolean
  /** `null` if a part has an unsupported type. The template cannot be sent without it. */
  readonly parts: ReadonlyArray<TemplatePart> | null
  readonly status: "approved" | "rejected" | "pending" | "paused" | "disabled"
  readonly rejectionReason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
}

/** Template for submission. */
export interface TemplateSubmission extends Pick<ProviderTemplate, "name" | "language" | "category" | "named"> {
  readonly parts: ReadonlyArray<TemplatePart>
}

/** Submission of templates to a provider, which reviews and stores them. */
export interface TemplateApproval {
  readonly submit: (
    line: ProviderConnection,
    template: TemplateSubmission
  ) => Effect.Effect<Pick<ProviderTemplate, "externalId" | "status" | "category">, ChannelFailure>
  readonly remove: (line: ProviderConnection, name: string, externalId: string) => Effect.Effect<void, ChannelFailure>
  /** Lists all templates of the business account, page by page. */
  readonly list: (line: ProviderConnection) => Stream.Stream<ProviderTemplate, ChannelFailure>
}

/** Returns the provider's template with the same name and language; `null` if none exists. */
export const findProviderTemplate = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: ProviderConnection,
  { language, name }: Pick<MessageTemplate, "language" | "name">
) {
  const [kept] = yield* templates.list(line).pipe(
    Stream.filter((each) => each.name === name && each.language === language),
    Stream.take(1),
    Stream.runCollect
  )
  return kept ?? null
})
