import { Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import { readFileSync } from "node:fs"

// Prints what the documents named on the command line break of the rules for OpenAPI, as a list for each.
// Plain JavaScript, because the types of the rules are incompatible with the types of the linter.
const linter = new Spectral()
linter.setRuleset({ extends: [[oas, "recommended"]] })
const found = []
for (const file of process.argv.slice(2)) found.push(await linter.run(JSON.parse(readFileSync(file, "utf8"))))
process.stdout.write(JSON.stringify(found))
