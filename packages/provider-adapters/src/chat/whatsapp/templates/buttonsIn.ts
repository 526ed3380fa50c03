import { idAt, listAt, textAt, textsIn } from "../../../json.ts"

const firstText = (values: ReadonlyArray<unknown>) => textsIn(values)[0]

const withText = (button: unknown) => {
  const text = textAt(button, "text")
  return text === null ? {} : { text }
}

const urlButton = (button: unknown) => {
  const example = textAt(button, "example") ?? firstText(listAt(button, "example"))
  const metaAppId = idAt(button, "app_deep_link", "meta_app_id")
  const androidDeepLink = textAt(button, "app_deep_link", "android_deep_link")
  const fallback = textAt(button, "app_deep_link", "android_fallback_playstore_url")
  return {
    type: "url",
    ...withText(button),
    url: textAt(button, "url"),
    ...(example === undefined ? {} : { example }),
    ...(metaAppId === null || androidDeepLink === null
      ? {}
      : {
          appDeepLink: {
            metaAppId,
            androidDeepLink,
            ...(fallback === null ? {} : { androidFallbackPlaystoreUrl: fallback })
          }
        })
  }
}

const flowButton = (button: unknown) => {
  const flowId = idAt(button, "flow_id")
  const flowName = textAt(button, "flow_name")
  const action = textAt(button, "flow_action")?.toLowerCase() ?? null
  const screen = textAt(button, "navigate_screen")
  const icon = textAt(button, "icon")?.toLowerCase() ?? null
  return {
    type: "flow",
    ...withText(button),
    ...(flowId === null ? {} : { flowId }),
    ...(flowName === null ? {} : { flowName }),
    ...(action === null ? {} : { action }),
    ...(screen === null ? {} : { screen }),
    ...(icon === null ? {} : { icon })
  }
}

const plainTypes: ReadonlyMap<string, string> = new Map([
  ["QUICK_REPLY", "quick_reply"],
  ["CATALOG", "catalog"],
  ["MPM", "multi_product"],
  ["SPM", "single_product"],
  ["VOICE_CALL", "voice_call"],
  ["ORDER_DETAILS", "order_details"]
])

/** Reads a button; `null` for an unknown type. The result is checked by the schema of the domain. */
export const buttonIn = (button: unknown): object | null => {
  const type = textAt(button, "type")?.toUpperCase() ?? ""
  const plain = plainTypes.get(type)
  if (plain !== undefined) return { type: plain, ...withText(button) }
  switch (type) {
    case "URL":
      return urlButton(button)
    case "PHONE_NUMBER":
      return { type: "phone_number", ...withText(button), phone: phoneIn(textAt(button, "phone_number")) }
    case "COPY_CODE":
      return { type: "copy_code", example: textAt(button, "example") ?? firstText(listAt(button, "example")) }
    case "FLOW":
      return flowButton(button)
    case "REQUEST_CONTACT_INFO":
      return { type: "request_contact_info" }
    default:
      return null
  }
}

const phoneIn = (phone: string | null) => {
  const digits = phone?.replaceAll(/[\s().-]/gu, "") ?? ""
  return digits.startsWith("+") ? digits : `+${digits}`
}

/** Reads all buttons; `null` if one is unknown, because sending depends on their positions. */
export const buttonsIn = (component: unknown): ReadonlyArray<object> | null => {
  const buttons = listAt(component, "buttons")
  const known = buttons.map(buttonIn).filter((button) => button !== null)
  return known.length === buttons.length ? known : null
}

const otpTypes = ["copy_code", "one_tap", "zero_tap"] as const

/** How the code of an authentication template is transferred. The provider stores its button as a link. */
export const otpTypeOf = (button: unknown): (typeof otpTypes)[number] | null => {
  const url = textAt(button, "url")
  const otpType =
    textAt(button, "otp_type") ?? (url !== null && URL.canParse(url) ? new URL(url).searchParams.get("otp_type") : null)
  const known = otpTypes.find((type) => type === otpType?.toLowerCase()) ?? null
  if (known !== null) return known
  // Without a type in the link, copying works for every authentication template.
  return url !== null && url.startsWith("https://www.whatsapp.com/otp/") ? "copy_code" : null
}
