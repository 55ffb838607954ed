import base from '../playwright.config'

export default { ...base, testDir: '.', testMatch: 'pictures.ts', projects: undefined }
