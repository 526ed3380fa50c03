import { get } from "node:http"
import { env } from "node:process"

/** Address of the process on this machine. */
export interface ReadyAddress {
  readonly host: string
  readonly port: number
}

/** The API port, and the port of the metrics for a process without an API. Null: only the first one is asked. */
export interface ReadyTarget extends ReadyAddress {
  readonly metrics: ReadyAddress | null
}

/** Result of `parley ready`: the exit code and its explanation. */
export interface Readiness {
  readonly code: 0 | 1 | 4
  readonly line: string
}

type Variables = Readonly<Record<string, string | undefined>>

const defaults = { host: "127.0.0.1", port: "8787" }

const validHost = /^[A-Za-z0-9._:%-]+$/u
const validPort = /^[1-9]\d{0,4}$/u

const addressOf = (givenHost: string | undefined, givenPort: string | undefined): ReadyAddress | null => {
  const host = givenHost?.trim() || defaults.host
  const port = givenPort?.trim() || defaults.port
  return validHost.test(host) && validPort.test(port) && Number(port) <= 65_535 ? { host, port: Number(port) } : null
}

/**
 * Reads the addresses from the words after `ready` and the variables, without the modules of the settings, because probes run every few seconds.
 * Returns `null` for other words and invalid values: the program explains them.
 */
export const readyTargetOf = (words: ReadonlyArray<string>, variables: Variables): ReadyTarget | null => {
  const given: Record<string, string | undefined> = {
    host: variables["PARLEY_HOST"],
    port: variables["PARLEY_PORT"]
  }
  const parts = words.flatMap((word) => /^(--(?:host|port))=(.*)$/u.exec(word)?.slice(1) ?? [word])
  for (let at = 0; at < parts.length; at += 2) {
    const [flag, value] = [parts[at], parts[at + 1]]
    if ((flag !== "--host" && flag !== "--port") || value === undefined) return null
    given[flag.slice(2)] = value
  }
  const address = addressOf(given["host"], given["port"])
  if (address === null) return null
  const metricsPort = variables["PARLEY_METRICS_PORT"]?.trim()
  if (words.length > 0 || !metricsPort) return { ...address, metrics: null }
  const metrics = addressOf(variables["PARLEY_METRICS_HOST"], metricsPort)
  return metrics === null ? null : { ...address, metrics }
}

const own: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

const reasonIn = (body: string): string => {
  try {
    const { detail, reason, title } = JSON.parse(body)
    return String(detail ?? reason ?? title)
  } catch {
    return "no reason given"
  }
}

const answerMillis = 3_000

interface Answer extends Readiness {
  readonly isListening: boolean
}

const ask = ({ host, port }: ReadyAddress): Promise<Answer> =>
  new Promise((resolve) => {
    const hostname = own[host] ?? host
    const place = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
    const unanswered = (why: string, isListening = true) =>
      resolve({ code: 4, line: `The service at ${place} does not answer: ${why}. See its log.`, isListening })
    const answered = (code: Readiness["code"], line: string) => resolve({ code, line, isListening: true })
    const signal = AbortSignal.timeout(answerMillis)
    const request = get({ hostname, port, path: "/readyz", agent: false, signal }, (response) => {
      let body = ""
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text
      })
      response.on("error", (error) => unanswered(error.message))
      response.on("end", () => {
        const status = response.statusCode ?? 0
        if (status === 200) answered(0, `The service at ${place} is ready.`)
        else if (status === 503) answered(1, `The service at ${place} is not ready: ${reasonIn(body)}`)
        else answered(4, `${place} does not answer like a Parley service (status ${status}).`)
      })
    })
    request.on("error", (error) => {
      if (signal.aborted) return unanswered(`no answer within ${answerMillis / 1_000} s`)
      unanswered(error.message, !("code" in error) || error.code !== "ECONNREFUSED")
    })
  })

/** Asks the process on this machine whether it is ready. A worker listens on its metrics port only. */
export const askReady = async ({ host, metrics, port }: ReadyTarget): Promise<Readiness> => {
  const answer = await ask({ host, port })
  const other = metrics === null || answer.isListening ? null : await ask(metrics)
  const { code, line } = other?.isListening ? other : answer
  return { code, line }
}

/** Runs `parley ready` without the program, because probes repeat it every few seconds. The program explains all other lines. */
export const answerReady = async (words: ReadonlyArray<string>, runProgram: () => void) => {
  const target = readyTargetOf(words, env)
  if (target === null) return runProgram()
  const { code, line } = await askReady(target)
  process.exitCode = code
  if (code === 0) process.stdout.write(`${line}\n`)
  else process.stderr.write(`parley: ${line}\n`)
}
