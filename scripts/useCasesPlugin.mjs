// The rule of the linter for the folders of use cases.

const isLowerCase = ([first = ""]) => first === first.toLowerCase()

const onlyUseCases = {
  create: (context) => {
    const textOf = (node) => context.sourceCode.getText(node)
    let isThere = false

    /** A function with the prefix `make` builds the use case from declarations of other areas, such as the event catalogue. */
    const isUseCase = ({ id, init }) => {
      if (init === null || init === undefined) return false
      if (init.type === "CallExpression" && init.callee.name === "useCase") return true
      return id.name.startsWith("make") && init.type === "ArrowFunctionExpression" && /\buseCase\(/u.test(textOf(init))
    }

    const report = (node) =>
      context.report({ node, message: "A file of use-cases/ exports use cases and their types. Move the rest out." })

    return {
      ExportAllDeclaration: report,
      ExportDefaultDeclaration: report,
      ExportNamedDeclaration: (node) => {
        const { declaration, exportKind, specifiers } = node
        if (specifiers.length > 0) return report(node)
        if (exportKind === "type" || declaration === null || declaration.type === "ClassDeclaration") return undefined
        if (declaration.type !== "VariableDeclaration") return report(node)
        for (const declared of declaration.declarations) {
          if (isUseCase(declared)) isThere = true
          else if (declared.id.type !== "Identifier" || isLowerCase(declared.id.name)) report(declared)
        }
        return undefined
      },
      "Program:exit": (node) => {
        if (!isThere) report(node)
      }
    }
  }
}

export default { meta: { name: "use-cases" }, rules: { "only-use-cases": onlyUseCases } }
