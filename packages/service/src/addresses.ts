import { Predicate } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import type { Settings } from "./readSettings.ts"

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether other machines can reach the service, directly or through a proxy. */
export const isExposed = ({
  baseUrl,
  host,
  trustedProxyHops
}: Pick<Settings, "baseUrl" | "host" | "trustedProxyHops">) =>
  !isLoopback(host.value) ||
  trustedProxyHops.value > 0 ||
  (baseUrl.value !== null && !isLoopback(new URL(baseUrl.value).hostname))

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

const inUrl = (host: string) => (host.includes(":") ? `[${host}]` : host)

/** Public URL of the service, without a trailing slash. */
export const addressOf = ({ baseUrl, host, port }: Settings) =>
  baseUrl.value ?? `http://${wildcards.has(host.value) ? "localhost" : inUrl(host.value)}:${port.value}`

/** Address and port that the service listens on, with the public URL if it differs. */
export const listeningOf = (settings: Settings) => {
  const own = `http://${inUrl(settings.host.value)}:${settings.port.value}`
  const { value } = settings.baseUrl
  return value === null ? addressOf(settings) : value === own ? own : `${own}, with the public URL ${value}`
}

export const docsUrlOf = (settings: Settings) => settings.docsUrl.value ?? `${addressOf(settings)}/docs`

/** Separate address of the metrics, if configured. */
export const metricsAddressOf = ({ metricsHost, metricsPort }: Settings) =>
  metricsPort.value === null ? null : { host: metricsHost.value, port: metricsPort.value }

/** Separate address for operator tokens, if configured. */
export const operatorAddressOf = ({ operatorHost, operatorPort }: Settings) =>
  operatorPort.value === null ? null : { host: operatorHost.value, port: operatorPort.value }

/** Whether the API port would expose the metrics to other machines. It hides them then. */
export const withholdsMetrics = (settings: Settings) =>
  settings.metricsPort.value === null && settings.metricsToken.value === null && isExposed(settings)

/** Address of the metrics: a separate address, the API port (`null`), or none on this server. */
export const metricsPlaceOf = (settings: Settings) =>
  withholdsMetrics(settings) ? ("elsewhere" as const) : metricsAddressOf(settings)

const listenFaults: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PARLEY_PORT: another program uses port ${port.value} on ${host.value}. Stop it, or choose a free port with --port.`,
  EACCES: ({ port }) => `PARLEY_PORT: this user cannot listen on port ${port.value}. Choose a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `PARLEY_HOST: this machine does not have the address ${host.value}.`,
  ENOTFOUND: ({ host }) => `PARLEY_HOST: the host ${host.value} does not exist.`
}

/** Describes why listening on a port fails, and the remedy. */
export const cannotListen = (settings: Settings, cause: unknown) => {
  const { metricsHost, metricsPort, operatorHost, operatorPort } = settings
  if (Predicate.hasProperty(cause, "port") && metricsPort.value !== null && cause.port === metricsPort.value) {
    const fault = `PARLEY_METRICS_PORT: the metrics cannot be served on port ${metricsPort.value} of ${metricsHost.value}. Choose another port.`
    return new WrongConfiguration({ faults: [fault] })
  }
  if (Predicate.hasProperty(cause, "port") && operatorPort.value !== null && cause.port === operatorPort.value) {
    const fault = `PARLEY_OPERATOR_PORT: the operators' API cannot be served on port ${operatorPort.value} of ${operatorHost.value}. Choose another port.`
    return new WrongConfiguration({ faults: [fault] })
  }
  const code = Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : "unknown"
  const explain = listenFaults[code] ?? (({ host, port }) => `Cannot listen on ${host.value}:${port.value} (${code}).`)
  return new WrongConfiguration({ faults: [explain(settings)] })
}
