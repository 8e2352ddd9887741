import { mount } from 'svelte';
import './shell/tokens.css';
import './shell/base.css';
import './shell/tables.css';
import './shell/plot.css';
import App from './shell/App.svelte';
import { restoreTheme } from './shell/theme';

restoreTheme();
mount(App, { target: document.getElementById('app')! });
