export { addressOf, docsUrlOf } from "./addresses.ts"

export { DatabaseUnusable, ProcessFailed, WrongConfiguration, WrongUsage } from "./Failure.ts"

export { operatorName } from "./environment.ts"

export { HttpUrl, type Setting, wholeNumber } from "./Setting.ts"

export { catalogue, type GivenFlags, type Reading, readSettings, type SettingName, type Settings } from "./settings.ts"

export { strayVariables } from "./environment.ts"

export { isExposed } from "./addresses.ts"

/** The configuration and what follows from it alone: nothing here loads a database or a server. */
