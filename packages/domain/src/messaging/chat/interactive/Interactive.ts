import { Schema } from "effect"
import * as Choices from "./choices.ts"
import * as Commerce from "./commerce.ts"

type TypeOf<S extends Schema.Top> = S["Type"]

// Named interfaces keep the declarations of all types that contain an interactive message short.
export interface ReplyButtons extends TypeOf<typeof Choices.ReplyButtons> {}
export interface ChoiceList extends TypeOf<typeof Choices.ChoiceList> {}
export interface LinkButton extends TypeOf<typeof Choices.LinkButton> {}
export interface LocationRequest extends TypeOf<typeof Choices.LocationRequest> {}
export interface ContactRequest extends TypeOf<typeof Choices.ContactRequest> {}
export interface FlowMessage extends TypeOf<typeof Choices.FlowMessage> {}
export interface AddressRequest extends TypeOf<typeof Choices.AddressRequest> {}
export interface CallPermissionRequest extends TypeOf<typeof Choices.CallPermissionRequest> {}
export interface CallButton extends TypeOf<typeof Choices.CallButton> {}
export interface MediaCarousel extends TypeOf<typeof Choices.MediaCarousel> {}
export interface ProductMessage extends TypeOf<typeof Commerce.ProductMessage> {}
export interface ProductListMessage extends TypeOf<typeof Commerce.ProductListMessage> {}
export interface CatalogMessage extends TypeOf<typeof Commerce.CatalogMessage> {}
export interface ProductCarousel extends TypeOf<typeof Commerce.ProductCarousel> {}
export interface OrderDetails extends TypeOf<typeof Commerce.OrderDetails> {}
export interface OrderStatus extends TypeOf<typeof Commerce.OrderStatus> {}

export type Interactive =
  | ReplyButtons
  | ChoiceList
  | LinkButton
  | LocationRequest
  | ContactRequest
  | FlowMessage
  | AddressRequest
  | CallPermissionRequest
  | CallButton
  | MediaCarousel
  | ProductMessage
  | ProductListMessage
  | CatalogMessage
  | ProductCarousel
  | OrderDetails
  | OrderStatus

export const interactiveMembers = [
  Choices.ReplyButtons,
  Choices.ChoiceList,
  Choices.LinkButton,
  Choices.LocationRequest,
  Choices.ContactRequest,
  Choices.FlowMessage,
  Choices.AddressRequest,
  Choices.CallPermissionRequest,
  Choices.CallButton,
  Choices.MediaCarousel,
  Commerce.ProductMessage,
  Commerce.ProductListMessage,
  Commerce.CatalogMessage,
  Commerce.ProductCarousel,
  Commerce.OrderDetails,
  Commerce.OrderStatus
] as const

/** Interactive elements of a message. */
export const Interactive: Schema.Codec<Interactive> = Schema.Union(interactiveMembers).annotate({
  identifier: "Interactive"
})

export type InteractiveOf<Type extends Interactive["type"]> = Extract<Interactive, { readonly type: Type }>

export type { CarouselCard } from "./choices.ts"
export type { InteractiveHeader } from "./parts.ts"

/** Text of an interactive message; `null` for a message without one. */
export const interactiveText = ({ body }: Interactive): string | null => body ?? null

/** File of an interactive message, with its JSON pointer within the message. */
export interface InteractiveFile {
  readonly mediaId: string
  readonly kind: "image" | "video" | "document"
  readonly pointer: string
}

const headerFile = (header: { readonly type: string }, pointer: string): ReadonlyArray<InteractiveFile> => {
  const file = header as { readonly type: InteractiveFile["kind"] | "text"; readonly mediaId?: string }
  return file.type === "text" || file.mediaId === undefined
    ? []
    : [{ mediaId: file.mediaId, kind: file.type, pointer: `${pointer}/mediaId` }]
}

/** Returns the files of an interactive message in the order of its headers. */
export const interactiveFiles = (interactive: Interactive): ReadonlyArray<InteractiveFile> => {
  if (interactive.type === "carousel") {
    return interactive.cards.flatMap(({ header }, index) => headerFile(header, `/cards/${index}/header`))
  }
  const header = "header" in interactive ? interactive.header : undefined
  return header === undefined ? [] : headerFile(header, "/header")
}

/** Id and name of a file at the provider. */
export interface ProviderFile {
  readonly mediaId: string
  readonly filename: string | null
}

const withFile = <Header extends { readonly type: string }>(
  header: Header,
  files: ReadonlyMap<string, ProviderFile>
): Header => {
  const file = "mediaId" in header ? files.get(header.mediaId as string) : undefined
  if (file === undefined) return header
  const named = header.type === "document" && file.filename !== null ? { filename: file.filename } : {}
  return { ...named, ...header, mediaId: file.mediaId }
}

/** Replaces the files of an interactive message by files of the provider. */
export const withInteractiveFiles = (
  interactive: Interactive,
  files: ReadonlyMap<string, ProviderFile>
): Interactive => {
  if (interactive.type === "carousel") {
    return {
      ...interactive,
      cards: interactive.cards.map((card) => ({ ...card, header: withFile(card.header, files) }))
    }
  }
  return "header" in interactive && interactive.header !== undefined
    ? ({ ...interactive, header: withFile(interactive.header, files) } as Interactive)
    : interactive
}
