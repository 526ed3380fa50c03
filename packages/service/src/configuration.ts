export { addressOf, docsUrlOf, listeningOf, metricsAddressOf } from "./addresses.ts"

export { DatabaseUnusable, ProcessFailed, WrongConfiguration, WrongUsage } from "./Failure.ts"

export { operatorName } from "./environment.ts"

export { fileVariableOf, HttpUrl, type Setting, wholeNumber } from "./Setting.ts"

export { type GivenFlags, type Reading, readSettings, type Settings } from "./readSettings.ts"

export { catalogue, type SettingName } from "./settings.ts"

export { strayVariables } from "./environment.ts"

export { isExposed } from "./addresses.ts"

/** Configuration and values derived from it. This module loads no database and no server. */
