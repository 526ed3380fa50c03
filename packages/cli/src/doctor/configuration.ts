import { type GivenFlags, isExposed, readSettings, type Settings, strayVariables } from "@parley/service/configuration"
import { Effect, Result } from "effect"
import { failed, type Finding, ok, warning } from "./Finding.ts"

const aboutExposure = (settings: Settings): ReadonlyArray<Finding> => {
  if (!isExposed(settings)) return []
  const { baseUrl } = settings
  return baseUrl.value?.startsWith("https://") === true
    ? [ok("address", `others reach the service at ${baseUrl.value}`)]
    : [
        warning(
          "address",
          "others can reach the service, but its address is not said, or not https",
          "set PARLEY_BASE_URL to the https address that callers use"
        )
      ]
}

const aboutMail = (settings: Settings): ReadonlyArray<Finding> => {
  const { mailFrom, smtpUrl } = settings
  if (smtpUrl.value === null && mailFrom.value === null) {
    return [
      isExposed(settings)
        ? warning(
            "mail",
            "no mail is sent: invitations and links to a new password go by hand",
            "set PARLEY_SMTP_URL and PARLEY_MAIL_FROM"
          )
        : ok("mail", "no mail is sent: links go by hand")
    ]
  }
  return smtpUrl.value === null || mailFrom.value === null
    ? [failed("mail", "one of PARLEY_SMTP_URL and PARLEY_MAIL_FROM is missing", "set both, or none")]
    : [ok("mail", `mails come from ${mailFrom.value}`)]
}

/** Reads the settings as a server would. `null` when they have faults. */
export const checkConfiguration = Effect.fnUntraced(function* (flags: GivenFlags) {
  const strays = yield* strayVariables
  const straying = strays.map((name) =>
    warning("configuration", `${name} is set, but there is no such setting`, "see `parley config` for the names")
  )
  const read = yield* Effect.result(readSettings(flags))
  if (Result.isFailure(read)) {
    const faults = read.failure.message.split("\n")
    return {
      settings: null,
      findings: [...faults.map((fault) => failed("configuration", fault, "correct it, or unset it")), ...straying]
    }
  }
  const settings = read.success
  const given = Object.values(settings).filter(({ source }) => source !== "default").length
  return {
    settings,
    findings: [
      ok("configuration", `${given} settings given, the rest as usual`),
      ...straying,
      ...aboutExposure(settings),
      ...aboutMail(settings)
    ]
  }
})
