import {
  findPlaceholders,
  isNamedStyle,
  type SampleHandles,
  type TemplateButton,
  type TemplateComponents
} from "@parley/domain/messaging"

type Examples = Readonly<Record<string, string>> | undefined
type Header = NonNullable<TemplateComponents["header"]> | NonNullable<TemplateComponents["cards"]>[number]["header"]

interface Style {
  readonly isNamed: boolean
  readonly handles: SampleHandles
}

/** Examples of a text, in the provider's shape for the style of the variables. */
const examplesOut = (part: "header" | "body", text: string, examples: Examples, { isNamed }: Style) => {
  const names = findPlaceholders(text)
  if (names.length === 0) return {}
  const values = names.map((name) => examples?.[name] ?? "")
  if (isNamed) {
    const named = names.map((name, at) => ({ param_name: name, example: values[at] ?? "" }))
    return { example: { [`${part}_text_named_params`]: named } }
  }
  return { example: part === "header" ? { header_text: values } : { body_text: [values] } }
}

const handleOut = (mediaId: string | undefined, { handles }: Style) => {
  const handle = mediaId === undefined ? undefined : handles.get(mediaId)
  return handle === undefined ? {} : { example: { header_handle: [handle] } }
}

const headerOut = (header: Header, style: Style) => ({
  type: "HEADER",
  format: header.format.toUpperCase(),
  ...(header.format === "text"
    ? { text: header.text, ...examplesOut("header", header.text, header.examples, style) }
    : handleOut("mediaId" in header ? header.mediaId : undefined, style))
})

const bodyOut = ({ examples, text }: { readonly text: string; readonly examples?: Examples }, style: Style) => ({
  type: "BODY",
  text,
  ...examplesOut("body", text, examples, style)
})

/** The provider writes numeric ids of apps as numbers. */
const numeric = (id: string) => (/^\d{1,15}$/u.test(id) ? Number(id) : id)

const fixedLabels = { catalog: "View catalog", multi_product: "View items", single_product: "View" } as const

const types = { catalog: "CATALOG", multi_product: "MPM", single_product: "SPM" } as const

const buttonOut = (button: TemplateButton) => {
  switch (button.type) {
    case "quick_reply":
    case "voice_call":
    case "order_details":
      return { type: button.type.toUpperCase(), text: button.text }
    case "url": {
      const { appDeepLink: link, example, text, url } = button
      return {
        type: "URL",
        text,
        url,
        ...(example === undefined ? {} : { example: [example] }),
        ...(link === undefined
          ? {}
          : {
              app_deep_link: {
                meta_app_id: numeric(link.metaAppId),
                android_deep_link: link.androidDeepLink,
                ...(link.androidFallbackPlaystoreUrl === undefined
                  ? {}
                  : { android_fallback_playstore_url: link.androidFallbackPlaystoreUrl })
              }
            })
      }
    }
    case "phone_number":
      return { type: "PHONE_NUMBER", text: button.text, phone_number: button.phone }
    case "copy_code":
      return { type: "COPY_CODE", example: button.example }
    case "flow": {
      const { action, flowId, flowName, icon, screen, text } = button
      return {
        type: "FLOW",
        text,
        ...(flowId === undefined ? {} : { flow_id: flowId }),
        ...(flowName === undefined ? {} : { flow_name: flowName }),
        ...(action === undefined ? {} : { flow_action: action }),
        ...(screen === undefined ? {} : { navigate_screen: screen }),
        ...(icon === undefined ? {} : { icon: icon.toUpperCase() })
      }
    }
    case "catalog":
    case "multi_product":
    case "single_product":
      return { type: types[button.type], text: button.text ?? fixedLabels[button.type] }
    case "request_contact_info":
      return { type: "REQUEST_CONTACT_INFO" }
  }
}

const buttonsOut = (buttons: ReadonlyArray<TemplateButton>) => ({ type: "BUTTONS", buttons: buttons.map(buttonOut) })

const authenticationOut = (content: NonNullable<TemplateComponents["authentication"]>) => {
  const { apps, autofillText, copyText, expiryMinutes, securityRecommendation, transfer } = content
  return [
    {
      type: "BODY",
      ...(securityRecommendation === undefined ? {} : { add_security_recommendation: securityRecommendation })
    },
    ...(expiryMinutes === undefined ? [] : [{ type: "FOOTER", code_expiration_minutes: expiryMinutes }]),
    {
      type: "BUTTONS",
      buttons: [
        {
          type: "OTP",
          otp_type: transfer.toUpperCase(),
          ...(copyText === undefined ? {} : { text: copyText }),
          ...(autofillText === undefined ? {} : { autofill_text: autofillText }),
          ...(transfer === "zero_tap" ? { zero_tap_terms_accepted: content.zeroTapTermsAccepted === true } : {}),
          ...(apps === undefined
            ? {}
            : {
                supported_apps: apps.map(({ packageName, signatureHash }) => ({
                  package_name: packageName,
                  signature_hash: signatureHash
                }))
              })
        }
      ]
    }
  ]
}

const cardOut = ({ body, buttons, header }: NonNullable<TemplateComponents["cards"]>[number], style: Style) => ({
  components: [headerOut(header, style), ...(body === undefined ? [] : [bodyOut(body, style)]), buttonsOut(buttons)]
})

/** Builds the components of a template. Samples are handles of uploads, never links. */
export const componentsOut = (components: TemplateComponents, handles: SampleHandles): ReadonlyArray<object> => {
  const { authentication, body, buttons, callPermissionRequest, cards, footer, header, limitedTimeOffer } = components
  if (authentication !== undefined) return authenticationOut(authentication)
  const style = { isNamed: isNamedStyle(components), handles }
  return [
    ...(header === undefined ? [] : [headerOut(header, style)]),
    ...(limitedTimeOffer === undefined
      ? []
      : [
          {
            type: "LIMITED_TIME_OFFER",
            limited_time_offer: {
              text: limitedTimeOffer.text,
              ...(limitedTimeOffer.hasExpiration === undefined
                ? {}
                : { has_expiration: limitedTimeOffer.hasExpiration })
            }
          }
        ]),
    ...(body === undefined ? [] : [bodyOut(body, style)]),
    ...(footer === undefined ? [] : [{ type: "FOOTER", text: footer.text }]),
    ...(buttons === undefined ? [] : [buttonsOut(buttons)]),
    ...(cards === undefined ? [] : [{ type: "CAROUSEL", cards: cards.map((card) => cardOut(card, style)) }]),
    ...(callPermissionRequest === true ? [{ type: "CALL_PERMISSION_REQUEST" }] : [])
  ]
}
