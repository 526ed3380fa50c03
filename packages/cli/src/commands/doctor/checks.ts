import {
  type GivenFlags,
  isExposed,
  readSettings,
  settingVariables,
  type Settings,
  strayVariables
} from "@parley/service/configuration"
import { Effect, Result } from "effect"
import * as Fs from "node:fs/promises"
import * as Net from "node:net"
import { nearest } from "../../console/nearest.ts"

/** Result of one check. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "failed" | "skipped"
  readonly found: string
  /** Recommended action. */
  readonly advice: string | null
}

export const ok = (check: string, found: string): Finding => ({ check, status: "ok", found, advice: null })

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "warning",
  found,
  advice
})

export const failed = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "failed",
  found,
  advice
})

export const skipped = (check: string, found: string): Finding => ({ check, status: "skipped", found, advice: null })

const aboutExposure = (settings: Settings): ReadonlyArray<Finding> => {
  if (!isExposed(settings)) return []
  const { baseUrl } = settings
  return baseUrl.value?.startsWith("https://") === true
    ? [ok("address", `other machines reach the service at ${baseUrl.value}`)]
    : [
        warning(
          "address",
          "other machines can reach the service, but its address is not set, or not https",
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
            "no email is sent: you send links of invitations and password resets manually",
            "set PARLEY_SMTP_URL and PARLEY_MAIL_FROM"
          )
        : ok("mail", "no email is sent: you send links manually")
    ]
  }
  return smtpUrl.value === null || mailFrom.value === null
    ? [failed("mail", "PARLEY_SMTP_URL or PARLEY_MAIL_FROM is missing", "set both, or none")]
    : [ok("mail", `emails come from ${mailFrom.value}`)]
}

const withoutPrefix = (variable: string) => variable.replace(/^PARLEY_/u, "")

/** Suggests the most similar setting. The common prefix would make all names similar. */
const meant = (typed: string): string => {
  const [close] = nearest(withoutPrefix(typed), settingVariables.map(withoutPrefix))
  return close === undefined ? "" : `use PARLEY_${close}, or `
}

/** Reads the settings like a server. Returns `null` for invalid settings. */
export const checkConfiguration = Effect.fnUntraced(function* (flags: GivenFlags) {
  const strays = yield* strayVariables
  const straying = strays.map((name) =>
    warning(
      "configuration",
      `${name} is set, but this setting does not exist`,
      `${meant(name)}see \`parley config\` for the names`
    )
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
      ok("configuration", `${given} settings are set, the others have their defaults`),
      ...straying,
      ...aboutExposure(settings),
      ...aboutMail(settings)
    ]
  }
})

const oldestNode = [24, 7] as const

/** Checks that this version of Node can run the service. */
export const checkNode = Effect.sync((): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
    ? ok("node", `Node ${process.versions.node}`)
    : failed("node", `Node ${process.versions.node} is too old`, `install Node ${oldestNode.join(".")} or later`)
})

const megabyte = 1024 * 1024

/** Checks the free disk space of the data folder. */
export const checkDisk = (settings: Settings) => {
  if (settings.databaseUrl.value !== null) return Effect.succeed(skipped("disk", "the data is on a database server"))
  const folder = settings.dataDir.value
  return Effect.promise(() =>
    Fs.statfs(`${folder}/database`)
      .catch(() => Fs.statfs(folder))
      .then(
        ({ bavail, bsize }) => Math.floor((bavail * bsize) / megabyte),
        () => null
      )
  ).pipe(
    Effect.map((free): Finding => {
      if (free === null) return skipped("disk", `the folder ${folder} does not exist yet: the first start creates it`)
      const found = `${free} MB free at ${folder}`
      if (free < 100) return failed("disk", found, "free disk space: PostgreSQL stops when its disk is full")
      return free < 1024 ? warning("disk", found, "make room soon") : ok("disk", found)
    })
  )
}

const listen = (host: string, port: number) =>
  Effect.callback<string | null>((resume) => {
    const server = Net.createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? "unknown")))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(null))))
  })

/** Checks that a server could listen. */
export const checkPort = (settings: Settings) => {
  const host = settings.host.value
  const port = settings.port.value
  return Effect.map(listen(host, port), (code): Finding => {
    if (code === null) return ok("port", `${host}:${port} is free`)
    if (code === "EADDRINUSE") {
      return warning(
        "port",
        `${host}:${port} is taken`,
        "fine if that is your server; otherwise choose another port: PARLEY_PORT"
      )
    }
    return failed("port", `cannot listen on ${host}:${port} (${code})`, "correct PARLEY_HOST and PARLEY_PORT")
  })
}
