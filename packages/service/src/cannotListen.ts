import { Predicate } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import type { Settings } from "./settings.ts"

const listenFaults: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PARLEY_PORT: another program has port ${port.value} on ${host.value}. Stop it, or take another port: --port ${port.value + 1}`,
  EACCES: ({ port }) => `PARLEY_PORT: this user may not listen on port ${port.value}. Take one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `PARLEY_HOST: this machine does not have the address ${host.value}.`,
  ENOTFOUND: ({ host }) => `PARLEY_HOST: there is no host ${host.value}.`
}

/** Why a port cannot be listened on, and what to do about it. */
export const cannotListen = (settings: Settings, cause: unknown) => {
  const { metricsHost, metricsPort } = settings
  if (Predicate.hasProperty(cause, "port") && metricsPort.value !== null && cause.port === metricsPort.value) {
    const fault = `PARLEY_METRICS_PORT: the metrics cannot be served on port ${metricsPort.value} of ${metricsHost.value}. Take another one.`
    return new WrongConfiguration({ faults: [fault] })
  }
  const code = Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : "unknown"
  const explain = listenFaults[code] ?? (({ host, port }) => `Cannot listen on ${host.value}:${port.value} (${code}).`)
  return new WrongConfiguration({ faults: [explain(settings)] })
}
