import { Equal } from "effect"
import type { AuthenticationContent, TemplateCard, TemplateComponents, TemplateHeader } from "./TemplateComponents.ts"

type Header = TemplateHeader | TemplateCard["header"] | undefined

const sampleOf = (header: Header) => (header !== undefined && "mediaId" in header ? header.mediaId : undefined)

const withSample = <Read extends Exclude<Header, undefined>>(header: Read, before: Header): Read => {
  const mediaId = before?.format === header.format ? sampleOf(before) : undefined
  return mediaId === undefined ? header : { ...header, mediaId }
}

const withApps = (read: AuthenticationContent, before: AuthenticationContent | undefined): AuthenticationContent =>
  before === undefined || before.transfer !== read.transfer ? read : { ...before, ...read }

/** Completes the provider's components by data that the provider does not return: samples and apps. */
export const completeComponents = (read: TemplateComponents, before: TemplateComponents): TemplateComponents => ({
  ...read,
  ...(read.header === undefined ? {} : { header: withSample(read.header, before.header) }),
  ...(read.cards === undefined
    ? {}
    : {
        cards: read.cards.map((card, at) => ({ ...card, header: withSample(card.header, before.cards?.[at]?.header) }))
      }),
  ...(read.authentication === undefined ? {} : { authentication: withApps(read.authentication, before.authentication) })
})

const withoutLink = <Part extends Exclude<Header, undefined>>(header: Part): Part => {
  if (!("link" in header)) return header
  const { link: _, ...others } = header
  return others as Part
}

/** Removes the provider's links. They change with each read. */
export const withoutLinks = (components: TemplateComponents): TemplateComponents => ({
  ...components,
  ...(components.header === undefined ? {} : { header: withoutLink(components.header) }),
  ...(components.cards === undefined
    ? {}
    : { cards: components.cards.map((card) => ({ ...card, header: withoutLink(card.header) })) })
})

/** Removes the fields that the provider sets if they equal the stored ones, because clients send back what they have read. */
export const withoutProviderFields = (given: TemplateComponents, before: TemplateComponents): TemplateComponents => {
  const known = linksOf(before)
  const components = linksOf(given).every((link) => known.includes(link)) ? withoutLinks(given) : given
  const { authentication } = components
  return authentication === undefined
    ? components
    : { ...components, authentication: withoutText(authentication, before.authentication) }
}

/** Returns the new components of a change; `null` if they stay. */
export const changedComponents = (
  given: TemplateComponents | undefined,
  before: TemplateComponents
): TemplateComponents | null => {
  if (given === undefined) return null
  const changed = withoutProviderFields(given, before)
  return Equal.equals(changed, withoutProviderFields(before, before)) ? null : changed
}

const linksOf = ({ cards = [], header }: TemplateComponents) =>
  [header, ...cards.map((card) => card.header)].flatMap((each) =>
    each !== undefined && "link" in each && each.link !== undefined ? [each.link] : []
  )

const withoutText = (content: AuthenticationContent, before: AuthenticationContent | undefined) => {
  if (content.text === undefined || content.text !== before?.text) return content
  const { text: _, ...others } = content
  return others
}
