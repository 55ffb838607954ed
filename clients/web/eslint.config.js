// Everything is on, as it is for Python (`pyproject.toml`), with a reason for each exception. The layout is prettier's.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default defineConfig(
  // What is made, as in .gitignore.
  // Nor what is served as it is: a service worker has other globals than the page, whose types are not its own.
  globalIgnores([
    '.svelte-check/',
    'dist/',
    'public/',
    'test-results/',
    'src/protocol/{facts,wire}.ts',
    'src/titles/*/{atlas,facts,shown}.ts',
  ]),
  js.configs.all,
  tseslint.configs.all,
  svelte.configs.all,
  svelte.configs.prettier,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } } },
  {
    rules: {
      // On, with more said than the rule's name says.
      // A `switch` counts once. This counts every ?., ??, && and ?: as well, which Python's C901 does not: its limit of
      // 10 would find 28 functions here, most of them lists of cases.
      complexity: ['error', { max: 20, variant: 'modified' }],
      curly: ['error', 'multi-line'],
      'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
      'max-statements': ['error', 50], // as in Python
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      'one-var': ['error', 'never'],
      'sort-imports': ['error', { ignoreCase: true, ignoreDeclarationSort: true }],
      '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
      '@typescript-eslint/explicit-member-accessibility': ['error', { accessibility: 'no-public' }],
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-use-before-define': ['error', { functions: false, variables: false }],
      '@typescript-eslint/parameter-properties': ['error', { prefer: 'parameter-property' }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: true }], // an empty name is none
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'svelte/block-lang': ['error', { script: 'ts' }],
      'svelte/prefer-const': ['error', { destructuring: 'all' }],

      camelcase: 'off', // the wire's words are Python's
      'capitalized-comments': 'off', // a comment behind its line is no sentence
      'id-length': 'off', // short names where they live for three lines
      'max-lines': 'off', // half of a component is its style
      'max-lines-per-function': 'off', // what a test describes is one function
      'no-await-in-loop': 'off', // one after another is meant
      'no-bitwise': 'off', // hashes and hexadecimals are made of bits
      'no-continue': 'off', // leave early, nest little
      'no-inline-comments': 'off', // a short reason stands behind its line
      'no-loop-func': 'off', // called before the loop goes on
      'no-negated-condition': 'off', // the usual case comes first
      'no-nested-ternary': 'off', // a table of cases, one a line
      'no-plusplus': 'off', // semicolons are the formatter's business
      'no-promise-executor-return': 'off', // as of strict-void-return
      'no-ternary': 'off', // one of two values
      'no-undef': 'off', // the type checker knows what there is
      'no-undefined': 'off', // a value like others since ES5
      'no-void': 'off', // no-floating-promises asks for it
      'prefer-const': 'off', // svelte/prefer-const knows props that are bound
      'prefer-named-capture-group': 'off', // one or two groups are numbered easily
      'require-atomic-updates': 'off', // sees races where only one writes
      'require-unicode-regexp': 'off', // what is searched is ASCII
      'sort-keys': 'off', // in the order of meaning
      '@typescript-eslint/class-methods-use-this': 'off', // a method is where it is looked for
      '@typescript-eslint/consistent-return': 'off', // an effect returns what ends it, or nothing
      '@typescript-eslint/member-ordering': 'off', // what belongs together stands together
      '@typescript-eslint/method-signature-style': 'off', // props that do something are methods, what is passed on is a field
      '@typescript-eslint/naming-convention': 'off', // keys are also rule numbers, areas and keys of the keyboard
      '@typescript-eslint/no-magic-numbers': 'off', // a drawing is made of numbers
      '@typescript-eslint/no-meaningless-void-operator': 'off', // `void it` in an effect: run again when it changes
      '@typescript-eslint/no-non-null-assertion': 'off', // an index known to be there, under noUncheckedIndexedAccess
      '@typescript-eslint/no-shadow': 'off', // inside, the same word is the best word
      '@typescript-eslint/no-unnecessary-type-parameters': 'off', // what JSON holds is said by who asks for it
      '@typescript-eslint/no-unsafe-enum-assignment': 'off', // there are no enums, and it looks long
      '@typescript-eslint/no-unsafe-type-assertion': 'off', // the same; the server has checked what it sends
      '@typescript-eslint/prefer-readonly-parameter-types': 'off', // not for what the DOM and the wire give
      '@typescript-eslint/promise-function-async': 'off', // a promise may be passed on
      '@typescript-eslint/strict-boolean-expressions': 'off', // empty, zero and missing are often one case
      '@typescript-eslint/strict-void-return': 'off', // `() => (open = true)` is an arrow's shortest form
      'svelte/button-has-type': 'off', // few stand in a form
      'svelte/consistent-selector-style': 'off', // components are short enough for either
      'svelte/no-add-event-listener': 'off', // of the window and of our own events, whose order is free
      'svelte/no-at-const-tags': 'off', // {@const} is not deprecated
      'svelte/no-inline-styles': 'off', // places that are computed
      'svelte/no-unused-class-name': 'off', // app.css has classes for all
      'svelte/prefer-svelte-reactivity': 'off', // a map that nothing follows, or that is made anew as a whole
      'svelte/require-event-prefix': 'off', // pick, point, show: what a component asks for is named in one word
      'svelte/require-store-reactive-access': 'off', // there are no stores, and it looks long
      'svelte/sort-attributes': 'off', // in the order of meaning
      'svelte/valid-compile': 'off', // svelte-check compiles them too
    },
  },
  {
    // The types of one component are unknown to another here; svelte-check knows them and is as strict.
    files: ['**/*.svelte'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off', // $props() gives functions, though their interface writes methods
    },
  },
  {
    files: ['tests/**', '**/*.test.ts'],
    rules: {
      '@typescript-eslint/explicit-function-return-type': 'off', // a locator, or what the test has just made
    },
  },
  { files: ['tests/speed.spec.ts', 'tests/evening.spec.ts'], rules: { 'no-console': 'off' } }, // what it measures is read
  {
    // What runs by itself when the page is built has no types.
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: {
      'no-console': 'off', // it tells who builds
      '@typescript-eslint/explicit-function-return-type': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
)
