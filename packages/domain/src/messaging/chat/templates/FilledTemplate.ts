import { Schema } from "effect"
import { type Locale, MultiLineText } from "../../../platform/identity/index.ts"

/** Value of one variable of a template, by name or by number as text. */
export const TemplateValues = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" }))
)
export type TemplateValues = typeof TemplateValues.Type

/** File of a header, by its id in Parley, or by its id at the provider after its upload. */
export interface FilledFile {
  readonly kind: "media"
  readonly media: "image" | "video" | "document" | "gif"
  readonly mediaId: string
  readonly filename: string | null
}

interface FilledProduct {
  readonly kind: "product"
  readonly catalogId: string
  readonly productId: string
}

export type FilledHeader =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly values: TemplateValues }
  | FilledFile
  | {
      readonly kind: "location"
      readonly latitude: number
      readonly longitude: number
      readonly name?: string
      readonly address?: string
    }
  | FilledProduct

/** Products of a message, by section. */
export interface ProductSection {
  readonly title: string
  readonly products: ReadonlyArray<string>
}

/** Values of a button, by its position in the template. */
export type FilledButton = { readonly index: number } & (
  | { readonly type: "url" | "quick_reply" | "copy_code"; readonly value: string }
  | { readonly type: "flow"; readonly token: string | null; readonly data: Schema.JsonObject | null }
  | { readonly type: "catalog"; readonly productId: string | null }
  | {
      readonly type: "multi_product"
      readonly productId: string
      readonly sections: ReadonlyArray<ProductSection>
    }
  | { readonly type: "voice_call"; readonly ttlMinutes: number | null; readonly payload: string | null }
  | { readonly type: "order_details"; readonly order: Schema.JsonObject }
)

/** Values of one card of a carousel. */
export interface FilledCard {
  readonly header: FilledFile | FilledProduct
  readonly body: TemplateValues
  readonly buttons: ReadonlyArray<FilledButton>
}

/** Values of a template: the variables of its components, and its files. */
export interface FilledTemplate {
  readonly name: string
  readonly language: typeof Locale.Type
  readonly named: boolean
  readonly header: FilledHeader
  readonly body: TemplateValues
  readonly buttons: ReadonlyArray<FilledButton>
  /** End of a limited-time offer, in milliseconds since 1970. */
  readonly offerExpiresAt?: number
  readonly cards?: ReadonlyArray<FilledCard>
  /** Whether only a phone number can be the recipient, as for one-time codes. */
  readonly isPhoneOnly?: true
  /** Whether the template is marketing, which providers can send over an interface of its own. */
  readonly isMarketing?: true
}

/** Returns the files of a filled template. */
export const filesOfTemplate = ({ cards = [], header }: FilledTemplate): ReadonlyArray<FilledFile> =>
  [header, ...cards.map((card) => card.header)].filter((each) => each.kind === "media")

/** Replaces each file by its copy at the provider. */
export const withTemplateFiles = (
  filled: FilledTemplate,
  copyOf: (mediaId: string) => Pick<FilledFile, "mediaId" | "filename"> | undefined
): FilledTemplate => {
  const replace = <Header extends FilledHeader>(header: Header): Header =>
    header.kind === "media" ? { ...header, ...copyOf(header.mediaId) } : header
  return {
    ...filled,
    header: replace(filled.header),
    ...(filled.cards === undefined
      ? {}
      : { cards: filled.cards.map((card) => ({ ...card, header: replace(card.header) })) })
  }
}
