import type { MessageTemplate, TemplateButton, TemplatePreview } from "@parley/domain/messaging"

type Components = MessageTemplate["components"]

const fileOf = (header: { readonly format: string; readonly mediaId?: string }) =>
  header.mediaId === undefined ? `[${header.format}]` : `[${header.format} ${header.mediaId}]`

/** Header of a template: its text, or its format. */
export const headerLine = ({ header }: Components): string => {
  if (header === undefined) return ""
  return header.format === "text" ? header.text : fileOf(header)
}

const detailOf = (button: TemplateButton): string => {
  switch (button.type) {
    case "url":
      return button.url
    case "phone_number":
      return button.phone
    case "copy_code":
      return button.example
    case "flow":
      return button.flowId ?? button.flowName ?? ""
    default:
      return ""
  }
}

const buttonText = (button: TemplateButton): string => {
  const label = "text" in button && button.text !== undefined ? ` "${button.text}"` : ""
  const detail = detailOf(button)
  return `${button.type}${label}${detail === "" ? "" : ` ${detail}`}`
}

const buttonsText = (buttons: ReadonlyArray<TemplateButton>) => buttons.map(buttonText).join("; ")

/** Buttons of a template. The provider adds the button of an authentication template. */
export const buttonsLine = ({ authentication, buttons = [], callPermissionRequest }: Components): string =>
  [
    ...(buttons.length === 0 ? [] : [buttonsText(buttons)]),
    ...(authentication === undefined ? [] : [`${authentication.transfer} "${authentication.copyText ?? "Copy code"}"`]),
    ...(callPermissionRequest === true ? ["call_permission_request"] : [])
  ].join("; ")

/** Cards of a carousel, one per line. */
export const cardLines = ({ cards = [] }: Components): ReadonlyArray<string> =>
  cards.map(({ body, buttons, header }) =>
    [fileOf(header), ...(body === undefined ? [] : [body.text]), buttonsText(buttons)].join(" | ")
  )

/** Body of a template. The provider writes the text of an authentication template. */
export const bodyLine = ({ authentication, body }: Components): string => body?.text ?? authentication?.text ?? ""

/** Footer of a template, or the validity of a one-time code. */
export const footerLine = ({ authentication, footer, limitedTimeOffer }: Components): string => {
  if (authentication?.expiryMinutes !== undefined) {
    const minutes = authentication.expiryMinutes
    return minutes === 1 ? "expires in 1 minute" : `expires in ${minutes} minutes`
  }
  return footer?.text ?? limitedTimeOffer?.text ?? ""
}

const previewButtons = (buttons: TemplatePreview["buttons"]) =>
  buttons.map(({ text, value }) => (value === null ? `[${text}]` : `[${text}] ${value}`))

/** Preview of a template, as a person sees it. */
export const previewLines = ({
  body,
  buttons,
  cards = [],
  footer,
  header,
  limitedTimeOffer
}: TemplatePreview): ReadonlyArray<string> => [
  ...(header === null ? [] : [header]),
  ...(limitedTimeOffer === undefined ? [] : [limitedTimeOffer]),
  body,
  ...(footer === null ? [] : [footer]),
  ...previewButtons(buttons),
  ...cards.flatMap((card) => [
    `- ${card.header}${card.body === null ? "" : ` ${card.body}`}`,
    ...previewButtons(card.buttons).map((line) => `  ${line}`)
  ])
]
