// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var y,pt,wo,B,Fe,de,dt,ce,ut,De,Ie,ko,oe=Symbol.for("pv"),ue={},me=[],Mo=/^m(i|n|o|s|text|space)$/,Oe=Array.isArray,Re=me.slice,G=Object.assign;function V(t){t&&t.parentNode&&t.remove()}function mt(t,e,o){var n,a,r,i={},s=arguments.length;for(r in e)r=="key"?n=e[r]:r=="ref"&&typeof t!="function"?a=e[r]:i[r]=e[r];return s>2&&(i.children=s>3?Re.call(arguments,2):o),te(t,i,n,a,null)}function te(t,e,o,n,a){var r={type:t,props:e,key:o,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:oe,__v:a||++pt,__i:-1,__u:0};return!a&&y.vnode&&y.vnode(r),r}function he(t){return t.children}function le(t,e){this.props=t,this.context=e,this.__g=0}function L(t,e){if(e==null)return t.__&&L(t.__,t.__i+1);for(var o;e<t.__k.length;e++)if((o=t.__k[e])&&o.__e)return o.__e;return typeof t.type!="function"||t.props.__P?null:L(t)}function So(t){var e,o=t.__v,n=o.__e,a=[],r=[],i=t.__P;i&&((e=G({constructor:oe},o)).__v=o.__v+1,y.vnode&&y.vnode(e),Ue(i,e,o,t.__n,i.namespaceURI,32&o.__u?[n]:null,a,n||L(o),32&o.__u,r),e.__v=o.__v,e.__.__k[e.__i]=e,xt(a,e,r),o.__=o.__e=null,e.__e!=n&&ht(e))}function ht(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),ht(t)}function ct(t){(8&t.__g||(t.__g|=8,B.push(t),de++))&&Fe==y.debounceRendering||((Fe=y.debounceRendering)||queueMicrotask)(ft)}function ft(){try{for(var t,e=1;B.length;)B.length>e&&B.sort(dt),t=B.shift(),e=B.length,8&t.__g&&So(t)}finally{(de=B.length)&&(Fe||queueMicrotask)(ft)}}function gt(t,e,o,n,a,r,i,s,c,d,p){var h,g,l,m,f,_,b=n.__k||me,v=e.length;for(c=Co(o,e,b,c,v),h=0;h<v;h++)(l=o.__k[h])!=null&&(g=~l.__i&&b[l.__i]||ue,l.__i=h,_=Ue(t,l,g,a,r,i,s,c,d,p),m=l.__e,(g.ref!=l.ref||8&g.__u)&&(g.ref&&je(g.ref,null,l,g),l.ref&&p.push(l.ref,l.__c||m,l)),f=f||m,4&l.__u?(c=_t(l,c,t,!g.__v),g.__e&&(g.__e=null)):typeof l.type=="function"&&_!==void 0?c=_:m&&(c=m.nextSibling),l.__u&=-21);return o.__e=f,c}function Co(t,e,o,n,a){var r,i,s,c,d,p,h,g,l,m=o.length,f=m,_=0,b=0,v=t.__k=Array(a);for(r=0;r<a;r++)(i=e[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=v[r]=te(null,i):Oe(i)?i=v[r]=te(he,{children:i}):i.constructor===oe&&i.__b?i=v[r]=te(i.type,i.props,i.key,i.ref,i.__v):v[r]=i,c=r+_,i.__=t,i.__b=t.__b+1,s=null,~(d=i.__i=Ao(i,o,c,f))&&(f--,(s=o[d])&&(s.__u|=2)),s&&s.__v?(i.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,b=1)):(~d||(a>m?_--:a<m&&_++),typeof i.type!="function"&&(i.__u|=4))):v[r]=null;if(b){for(p=[],h=[],r=0;r<a;r++)if((i=v[r])&&16&i.__u){for(_=0,g=p.length;_<g;)p[l=_+g>>1]<i.__i?_=l+1:g=l;p[_]=i.__i,h[r]=_+1}for(_=p.length;r--;)h[r]&&(h[r]==_?_--:v[r].__u|=4)}if(f)for(r=0;r<m;r++)!(s=o[r])||2&s.__u||(s.__e==n&&(n=L(s)),Be(s,s));return n}function _t(t,e,o,n){var a,r,i,s;if(typeof t.type=="function"){if(t.props.__P)return e;if(a=t.__k)for(r=0;r<a.length;r++)a[r]&&(a[r].__=t,e=_t(a[r],e,o,!1));return e}for(e&&!e.parentNode&&(e=L(t))&&!e.parentNode&&(e=null),i=t.__e,s=e;s&&s.nodeType==8;)s=s.nextSibling;for(i!=s&&(!n&&o.moveBefore&&i.parentNode?o.moveBefore(i,e):o.insertBefore(i,e||null)),e=i;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function Ao(t,e,o,n){var a,r=t.key,i=t.type,s=e[o],c=s&&!(2&s.__u);if(s===null&&r==null||c&&r==s.key&&i==s.type)return o;if(n>(c?1:0)){for(a=o-1;a>=0;a--)if((s=e[a])&&!(2&s.__u)&&r==s.key&&i==s.type)return a;for(a=o+1;a<e.length;a++)if((s=e[a])&&!(2&s.__u)&&r==s.key&&i==s.type)return a}return-1}function lt(t,e,o){o==null&&(o=""),e[0]=="-"?t.setProperty(e,o):t[e]=o}function se(t,e,o,n,a){var r,i;if(e=="style")if(typeof o=="string")t.style.cssText=o;else{if(typeof n=="string"&&(t.style.cssText=n=""),n)for(e in n)o&&e in o||lt(t.style,e);if(o)for(e in o)n&&o[e]==n[e]||lt(t.style,e,o[e])}else if(e[0]=="o"&&e[1]=="n")typeof o!="function"&&(o=null),typeof n!="function"&&(n=null),(t.__e||(t.__e={}))[e]=o,o&&n||(i=Ie[e]||(Ie[e]=zo(e)),(t.__a||(t.__a={}))[e]=De,r=e!=(e=e.replace(ut,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),o?t.addEventListener(e,i,r):t.removeEventListener(e,i,r));else{if(a=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&o==1?"":o)}}function zo(t){return function(e){var o=this.__e;if(o){if(o=o[t],e[ce]==null)e[ce]=De++;else if(e[ce]<this.__a[t])return;return o(y.event?y.event(e):e)}}}function Ue(t,e,o,n,a,r,i,s,c,d){var p,h,g,l,m,f,_,b,v,x,$,P,J,Z,D,st,j,X,O=e.type;if(e.constructor!==oe)return null;128&o.__u&&(c=32&o.__u,p=o.__c.__z)&&(e.__u|=c,h=r=[],p.nodeType==8?s=pe(p,r):r.push(p),s=r[0]||s),(p=y.__b)&&p(e);e:if(typeof O=="function"){g=i.length;try{if(b=e.props,v=(p=O.prototype)&&p.render,x=(p=O.contextType)&&n[p.__c],$=p?x?x.props.value:p.__:n,(l=o.__c)?(e.__c=l,2&l.__g&&(l.__g|=1)):(v?e.__c=l=new O(b,$):(e.__c=l=new le(b,$),l.constructor=O,l.render=Po),x&&x.sub(l),l.state||(l.state={}),l.__n=n,l.__g|=8,l.__h=[],l.__k=[]),v&&(l.__s||(l.__s=l.state),O.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=G({},l.__s)),G(l.__s,O.getDerivedStateFromProps(b,l.__s)))),m=l.props,f=l.state,l.__v=e,o.__c){if(b!==m&&v&&!O.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(b,$),e.__v==o.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(b,l.__s,$)===!1){e.__v!=o.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),e.__e=o.__e,e.__k=o.__k,e.__k.some(function(E){E&&(E.__=e)}),me.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),s=L(o);break e}l.componentWillUpdate&&l.componentWillUpdate(b,l.__s,$),v&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(m,f,_)})}else v&&!O.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),v&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=$,l.props=b,l.__P=t,l.__g&=-5,P=y.__r,J=v?25:0;do l.__g&=-9,P&&P(e),p=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++J<25);v&&(me.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(n=G({},n,l.getChildContext())),v&&o.__c&&l.getSnapshotBeforeUpdate&&(_=l.getSnapshotBeforeUpdate(m,f)),Z=p&&p.type===he&&p.key==null?p.props.children:p,b.__P&&(p=s,a=(t=b.__P).namespaceURI,c=r=null,o.props&&o.props.__P!=t&&(o.__k.some(function(E){E&&Be(E,E)}),o.__k=null),s=o.__k?L(o,0):null),s=gt(t,Oe(Z)?Z:[Z],e,o,n,a,r,i,s,c,d),b.__P&&(e.__e=null,s=p),e.__u&=-161,h&&h.some(V),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(E){if(i.length=g,e.__v=null,c||r)if(E&&E.then){if(e.__u|=128|c,r){for(~(j=r.indexOf(s||void 0))||(j=r.length);(X=r[j-1])&&X.nodeType==8;)j--;for(;j<r.length;j++)if(X=r[j])if(r[j]=null,D){if(X==st)break}else{if(X.nodeType!=8)break;X.data.startsWith("$s")&&(st=pe(D=X))}}if(!D){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;D=s}(p=pe(D=e.__c.__z||(e.__c.__z=D)))?(e.__e=D,s=p):e.__e=s,s=s&&s.nextSibling}else r&&r.some(V);else e.__e=o.__e;e.__k||(e.__k=o.__k||[]),E&&E.then||$t(e),y.__e(E,e,o)}}else s=e.__e=To(o.__e,e,o,n,a,r,i,c,d,t);return(p=y.diffed)&&p(e),s}function pe(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var o=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))o++;else if(t.data.startsWith("/$s")&&!--o)return t}e&&e.push(t)}}function $t(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some($t))}function xt(t,e,o){for(var n=0;n<o.length;)je(o[n++],o[n++],o[n++]);y.__c&&y.__c(e,t),t.some(function(a){try{t=a.__h,a.__h=[],t.some(function(r){r.call(a)})}catch(r){y.__e(r,a.__v)}})}function To(t,e,o,n,a,r,i,s,c,d){var p,h,g,l,m,f,_,b,v=o.props||ue,x=e.props,$=e.type;if($=="svg"?a="http://www.w3.org/2000/svg":$=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((m=r[p])&&($?m.localName==$:m.nodeType==3)){t=m,r[p]=null;break}}if(!t){if(b=d.ownerDocument||document,!$)return b.createTextNode(x);t=b.createElementNS(a,$,x.is?x:d),s&&(y.__m&&y.__m(e,r),s=!1),r=null}if($){if(d=$=="template"&&t.content||t,r=$=="textarea"&&x.defaultValue!=null?null:r&&Re.call(d.childNodes),!s&&r)for(v={},p=0;p<t.attributes.length;p++)v[(m=t.attributes[p]).name]=m.value;for(p in v)m=v[p],p=="dangerouslySetInnerHTML"?g=m:p=="children"||p in x||p=="value"&&"defaultValue"in x||p=="checked"&&"defaultChecked"in x||se(t,p,null,m,a);for(p in x)m=x[p],p=="children"?l=m:p=="dangerouslySetInnerHTML"?h=m:p=="value"?f=m:p=="checked"?_=m:s&&typeof m!="function"||v[p]===m||se(t,p,m,v[p],a);h?(s||g&&(h.__html==g.__html||h.__html==t.innerHTML)||(t.innerHTML=h.__html),e.__k=[]):(g&&(t.textContent=""),($=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&Mo.test($))&&(a="http://www.w3.org/1999/xhtml"),gt(d,Oe(l)?l:[l],e,o,n,a,r,i,r?r[0]:o.__k&&L(o,0),s,c),r&&r.some(V)),s&&$!="textarea"||(p="value",$=="progress"&&f==null?t.removeAttribute(p):f==null||f===t[p]&&($!="progress"||f)||se(t,p,f,v[p],a),p="checked",_!=null&&_!=t[p]&&se(t,p,_,v[p],a))}else v===x||s&&t.data==x||(t.data=x);return t}function je(t,e,o,n){try{typeof t=="function"?e?e.__x=t(e)||1:n&&(n=n.__c||n.__e)&&(e=n.__x)&&(n.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(a){y.__e(a,o)}}function Be(t,e,o){var n,a,r,i;if(y.unmount&&y.unmount(t),!(n=t.ref)||n.current&&n.current!=t.__e||je(n,null,e,t),n=t.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(s){y.__e(s,e)}n.__P=n.__n=null}if(n=t.__k)for(i=0;i<n.length;i++)n[i]&&Be(n[i],e,typeof t.type!="function"||o&&!t.props.__P);!o&&(n=t.__c)&&(n=n.__z)&&(a=pe(n,r=[]))&&(n==t.__e&&r.some(V),V(a),V(n)),o||V(t.__e),t.__e=t.__c=t.__=null}function Po(t,e,o){return this.constructor(t,o)}function bt(t,e){var o,n,a,r;y.__&&y.__(t,e),e.nodeType==9&&(e=e.documentElement),n=(o=t&&32&t.__u)?null:e.__k,e.__k=te(he,{children:[t]}),a=[],r=[],Ue(e,e.__k,n||ue,ue,e.namespaceURI,n?null:e.firstChild?Re.call(e.childNodes):null,a,n?n.__e:e.firstChild,o,r),xt(a,e.__k,r),e.__k.props.children=null}y={__e:function(t,e,o,n){for(var a,r,i;e=e.__;)if((a=e.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(t)),a.componentDidCatch&&(a.componentDidCatch(t,n||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(s){t=s}}throw de=0,t}},pt=0,wo=function(t){return t!=null&&t.constructor===oe},le.prototype.setState=function(t,e){var o=this.__s;o&&o!=this.state||(o=this.__s=G({},this.state)),typeof t=="function"&&(t=t(G({},o),this.props)),t&&(G(o,t),this.__v&&(e&&this.__k.push(e),ct(this)))},le.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),ct(this))},le.prototype.render=he,B=[],de=0,dt=function(t,e){return t.__v.__b-e.__v.__b},ce=Symbol(),ut=/(PointerCapture)$|Capture$/i,De=0,Ie={},ko=0;var Q,M,Le,vt,He=Object.is,fe=0,Tt=[],We=[],k=y,yt=k.__b,wt=k.__r,kt=k.diffed,Mt=k.__c,St=k.unmount,Ct=k.__;function ge(t,e){k.__h&&k.__h(M,t,fe||e),fe=0;var o=M.__H||(M.__H={__:[],__h:[]});return t>=o.__.length&&o.__.push({}),o.__[t]}function H(t){return fe=1,Eo(Pt,t)}function Eo(t,e,o){var n=ge(Q++,2);if(n.t=t,!n.__c&&(n.__=[o?o(e):Pt(void 0,e),function(r){var i=(n.__N||n.__)[0],s=n.t(i,r);He(i,s)||(n.__N=[s,n.__[1]],n.__c.setState({}))}],n.__c=M,!M.__f)){M.__f=!0;var a=M.shouldComponentUpdate;M.shouldComponentUpdate=function(r,i,s){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=r;if(c.__.some(function(g){g.__N&&(d=!0,He(g.__[0],g.__N[0])||(p=!0))}),a){var h=a.call(this,r,i,s);return d?h||p:h}return!d||p}}return n.__}function _e(t,e){var o=ge(Q++,3);!k.__s&&Xe(o.__H,e)&&(o.__P=!0,o.__=t,o.u=e,M.__H.__h.push(o))}function $e(t,e){var o=ge(Q++,4);!k.__s&&Xe(o.__H,e)&&(o.__P=!1,o.__=t,o.u=e,M.__h.push(o))}function R(t){return fe=5,w(function(){return{current:t}},[])}function w(t,e){var o=ge(Q++,7);return Xe(o.__H,e)&&(o.__=t(),o.__H=e),o.__}function No(){var t;do{for(;t=We.shift();)try{ne(t)}catch(o){k.__e(o,{__:(t=t.__P)&&t.__v})}for(;t=Tt.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(ne),e.__h.some(qe),e.__h=[]}catch(o){e.__h=[],k.__e(o,t.__v)}}}while(We.length)}k.__b=function(t){M=null,yt&&yt(t)},k.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),Ct&&Ct(t,e)},k.__r=function(t){wt&&wt(t),Q=0;var e=(M=t.__c).__H;e&&(Le==M?M.__h=[]:(e.__h.some(ne),e.__h.some(qe),Q=0),e.__h=[],e.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),Le=M},k.diffed=function(t){kt&&kt(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&zt(Tt.push(e)),e.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Le=M=null},k.__c=function(t,e){e.some(function(o){try{o.__h.some(ne),o.__h=o.__h.filter(function(n){return!n.__||qe(n)})}catch(n){o.__h=[function(){throw n}]}}),Mt&&Mt(t,e)},k.unmount=function(t){St&&St(t);var e,o,n=t.__c;n&&n.__H&&(n.__H.__.some(function(a){try{if(a.__P&&a.__c){if(o===void 0){for(o=t.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}a.__P=o,zt(We.push(a))}else ne(a)}catch(r){e=r}}),n.__H=void 0,e&&k.__e(e,n.__v))};var At=typeof requestAnimationFrame=="function";function Fo(t){var e,o=function(){clearTimeout(n),At&&cancelAnimationFrame(e),setTimeout(t)},n=setTimeout(o,35);At&&(e=requestAnimationFrame(o))}function zt(t){t!=1&&vt==k.requestAnimationFrame||((vt=k.requestAnimationFrame)||Fo)(No)}function ne(t){var e=M,o=t.__c;typeof o=="function"&&(t.__c=void 0,o()),M=e}function qe(t){var e=M;t.__c=t.__(),M=e}function Xe(t,e){return!t||t.length!=e.length||e.some(function(o,n){return!He(o,t[n])})}function Pt(t,e){return typeof e=="function"?e(t):e}var Nt=function(t,e,o,n){var a;e[0]=0;for(var r=1;r<e.length;r++){var i=e[r++],s=e[r]?(e[0]|=i?1:2,o[e[r++]]):e[++r];i===3?n[0]=s:i===4?n[1]=Object.assign(n[1]||{},s):i===5?(n[1]=n[1]||{})[e[++r]]=s:i===6?n[1][e[++r]]+=s+"":i?(a=t.apply(s,Nt(t,s,o,["",null])),n.push(a),s[0]?e[0]|=2:(e[r-2]=0,e[r]=a)):n.push(s)}return n},Et=new Map;function Ft(t){var e=Et.get(this);return e||(e=new Map,Et.set(this,e)),(e=Nt(this,e.get(t)||(e.set(t,e=(function(o){for(var n,a,r=1,i="",s="",c=[0],d=function(g){r===1&&(g||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,g,i):r===3&&(g||i)?(c.push(3,g,i),r=2):r===2&&i==="..."&&g?c.push(4,g,0):r===2&&i&&!g?c.push(5,0,!0,i):r>=5&&((i||!g&&r===5)&&(c.push(r,0,i,a),r=6),g&&(c.push(r,g,0,a),r=6)),i=""},p=0;p<o.length;p++){p&&(r===1&&d(),d(p));for(var h=0;h<o[p].length;h++)n=o[p][h],r===1?n==="<"?(d(),c=[c],r=3):i+=n:r===4?i==="--"&&n===">"?(r=1,i=""):i=n+i[0]:s?n===s?s="":i+=n:n==='"'||n==="'"?s=n:n===">"?(d(),r=1):r&&(n==="="?(r=5,a=i,i=""):n==="/"&&(r<5||o[p][h+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):n===" "||n==="	"||n===`
`||n==="\r"?(d(),r=2):i+=n),r===3&&i==="!--"&&(r=4,c=c[0])}return d(),c})(t)),e),arguments,[])).length>1?e:e[0]}var u=Ft.bind(mt);function T({width:t,height:e,draw:o,deps:n,label:a,name:r,opacity:i}){let s=R(null),c=R(null);return $e(()=>{let p=s.current.getContext("2d",{willReadFrequently:!0});(c.current?.width!==t||c.current.height!==e)&&(c.current=new ImageData(t,e)),o(new Uint32Array(c.current.data.buffer)),p.putImageData(c.current,0,0)},[t,e,...n]),u`<canvas
    ref=${s}
    width=${t}
    height=${e}
    data-name=${r}
    style=${{opacity:i}}
    ...${a?{role:"img","aria-label":a}:{"aria-hidden":!0}}
  />`}function z({title:t,note:e,width:o,height:n,view:a,onView:r,children:i,action:s}){let{zoom:c,x:d,y:p}=a,h=Io(a,r);return u`<figure class="panel">
    <figcaption>
      <span class="title">${t}</span>${e!==void 0&&u`<span class="note">${e}</span>`}${s}
    </figcaption>
    <div
      class=${`frame ${c>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${o} / ${n}`}}
      ...${h}
    >
      <div
        class=${`layers ${c>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*p}%) scale(${c})`}}
      >
        ${i}
      </div>
    </div>
  </figure>`}function W(t,e,o=.5,n=.5){let a=Math.min(16,Math.max(1,e)),r=a/t.zoom;return Ve({zoom:a,x:o-(o-t.x)*r,y:n-(n-t.y)*r})}function Ve({zoom:t,x:e,y:o}){let n=a=>Number(Math.min(0,Math.max(1-t,a)).toFixed(4))||0;return{zoom:Number(t.toFixed(3)),x:n(e),y:n(o)}}function Io(t,e){let o=R(new Map),n=R(t);n.current=t;let a=r=>{let i=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-i.left)/i.width,y:(r.clientY-i.top)/i.height}};return{onPointerDown(r){o.current.set(r.pointerId,a(r)),n.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){let i=o.current.get(r.pointerId);if(!i)return;let s=a(r),c=[...o.current].find(([d])=>d!==r.pointerId)?.[1];if(o.current.set(r.pointerId,s),c){let d=h=>Math.hypot(h.x-c.x,h.y-c.y)||.001,p={x:(s.x+c.x)/2,y:(s.y+c.y)/2};e(W(n.current,n.current.zoom*d(s)/d(i),p.x,p.y))}else n.current.zoom>1&&e(Ve({zoom:n.current.zoom,x:n.current.x+s.x-i.x,y:n.current.y+s.y-i.y}))},onPointerUp:r=>o.current.delete(r.pointerId),onPointerCancel:r=>o.current.delete(r.pointerId),onDblClick(r){let{x:i,y:s}=a(r);e(n.current.zoom>1?{zoom:1,x:0,y:0}:W(n.current,3,i,s))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:i,y:s}=a(r);e(W(n.current,n.current.zoom*Math.exp(-r.deltaY/200),i,s))},onKeyDown(r){let{zoom:i,x:s,y:c}=n.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")e(W(n.current,i*1.5));else if(r.key==="-")e(W(n.current,i/1.5));else if(r.key==="0")e({zoom:1,x:0,y:0});else if(d&&i>1)e(Ve({zoom:i,x:s+d[0],y:c+d[1]}));else return;r.preventDefault()}}}var Do=new Intl.NumberFormat("en-US"),re=t=>Do.format(t),C=(t,e=0)=>`${(100*t).toFixed(e)} %`,S=t=>C(t,t>.0995&&t<.995?0:1),xe=t=>({ins_del:"insertion − deletion"})[t]??t.replaceAll("_"," ");function F({label:t,value:e,options:o,onChange:n}){return u`<div class="field">
    <span class="label">${t}</span>
    <div class="segmented" role="group" aria-label=${t}>
      ${o.map(([a,r])=>u`<button type="button" key=${a} aria-pressed=${a===e} onClick=${()=>n(a)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function U({label:t,value:e,min:o,max:n,step:a,text:r,name:i,onInput:s,ends:c}){let d=`${100*(e-o)/(n-o||1)}%`;return u`<label class="field slider">
    <span class="label">${t} <output>${r}</output></span>
    <input
      type="range"
      data-name=${i}
      min=${o}
      max=${n}
      step=${a}
      value=${e}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${p=>s(Number(p.currentTarget.value))}
    />
    ${c&&u`<span class="ends"><span>${c[0]}</span><span>${c[1]}</span></span>`}
  </label>`}function be({label:t,checked:e,onChange:o}){return u`<label class="check">
    <input
      type="checkbox"
      checked=${e}
      onChange=${n=>o(n.currentTarget.checked)}
    />
    ${t}
  </label>`}function ve({label:t,value:e,options:o,onChange:n}){return u`<label class="field">
    <span class="label">${t}</span>
    <select value=${e} onChange=${a=>n(Number(a.currentTarget.value))}>
      ${o.map(([a,r])=>u`<option key=${a} value=${a} selected=${a===e}>${r}</option>`)}
    </select>
  </label>`}function Ge({text:t,label:e}){let[o,n]=H(!1);return u`<button type="button" class="button" onClick=${async()=>{await Oo(t)&&(n(!0),setTimeout(()=>n(!1),1500))}} aria-live="polite">
    ${o?"Copied":e}
  </button>`}async function Oo(t){try{return await navigator.clipboard.writeText(t),!0}catch{let e=Object.assign(document.createElement("textarea"),{value:t});document.body.append(e),e.select();let o=document.execCommand("copy");return e.remove(),o}}var Ro=[228,60,42],Uo=[44,112,200],ye=[[228,116,0],[0,114,178]],jo=[17,140,90],Bo=[.05,.15,.3],It=Ho();function K(t){let e=Float64Array.from(t,r=>Number.isFinite(r)?r:0),o=e.slice().sort(),[n,a]=[Ke(o,1-.995),Ke(o,.995)];return n<0&&-n>.05*Math.max(a,0)?e.map(r=>we(r/Math.max(a,-n),-1,1)):(a<=n&&([n,a]=[o[0],o[o.length-1]]),e.map(r=>a>n?we((r-n)/(a-n),0,1):0))}function q(t,e,o){for(let n=0;n<t.length;n++){let a=Math.abs(e[n]);t[n]=It[Math.round(255*a)]&16777215|Math.round(255*o*a**.9)<<24}}function Dt(t,e,o){for(let n=0;n<t.length;n++)t[n]=ae(e[n]>0?Ro:Uo,o*Math.abs(e[n])**.6)}function Ot(t,e,o,n){t.fill(0),Bo.forEach((a,r)=>{let i=a*t.length,s=It[[255,200,140][r]];for(let c=0;c<t.length;c++)e[c]<i&&Lo(e,c,o,i)&&(t[c]=s&16777215|Math.round(255*Math.min(1,n+.15))<<24)})}function Lo(t,e,o,n){let a=e%o;return a>0&&t[e-1]>=n||a<o-1&&t[e+1]>=n||e>=o&&t[e-o]>=n||e+o<t.length&&t[e+o]>=n}function Rt(t,e,o,n){let a=ke(e);for(let r=0;r<t.length;r++){let i=e.reduce((c,d,p)=>d[r]>e[c][r]?p:c,0),s=Math.min(1,e[i][r]/a)**.75;t[r]=ae(ye[i%ye.length],i<o.length?n*o[i]*s:0)}}function Ut(t,e,o,n=-1){let a=n<0?jo:ye[n%ye.length];for(let r=0;r<t.length;r++)t[r]=ae(a,.9*we(e[r]/o,0,1)**.75)}function ke(t){let e=t[0].map((o,n)=>Math.max(...t.map(a=>a[n]))).sort();return Ke(e,.995)||e[e.length-1]||1}function jt(t,e,o=.3){for(let n=0;n<t.length;n++){let a=e[n],r=[a&255,a>>8&255,a>>16&255],i=(r[0]+r[1]+r[2])/3;t[n]=ae(r.map(s=>.9*(i+o*(s-i))),1)}}function Ke(t,e){let o=e*(t.length-1),n=Math.floor(o),a=Math.min(n+1,t.length-1);return t[n]+(o-n)*(t[a]-t[n])}function we(t,e,o){return Math.min(o,Math.max(e,t))}function ae([t,e,o],n){return(Math.round(255*n)<<24|Math.round(o)<<16|Math.round(e)<<8|Math.round(t))>>>0}function Ho(){let t=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(e,o)=>{let n=a=>t.reduceRight((r,i)=>r*(o/255)+i[a],0);return ae([0,1,2].map(a=>we(255*n(a),0,255)),1)})}function Bt(t,e,o,n,a,r){let[i,s]=r==="deletion"?[o,e]:[e,o];for(let c=0;c<t.length;c++)t[c]=n[c]<a?i[c]:s[c]}function Me({counts:t,probabilities:e},o){let n=e.length/t.length,a=Math.max(0,t.findIndex(h=>h>=o)),r=o>t[t.length-1],i=r?t.length-1:a,s=t[i]===o,c=s||r||i===0?i:i-1,d=c===i?0:(o-t[c])/(t[i]-t[c]);return{values:Array.from({length:n},(h,g)=>{let[l,m]=[e[c*n+g],e[i*n+g]];return l+d*(m-l)}),measured:s,left:c,right:i}}function Lt({counts:t,top1:e},o,n){let a=e.findIndex(r=>r===o==(n==="insertion"));return a<0?null:t[a]}function Ht(t,e,o){let n=t.reduce((a,r)=>Math.abs(r-e)<Math.abs(a-e)?r:a);return Math.abs(n-e)<=o?n:e}function Wt(t){let e=t[0].length,o=new Float64Array(e);for(let n=0;n<e;n++){let a=0,r=0;for(let i of t){let s=i[n]/e;a+=s,r+=s*s}o[n]=Math.sqrt(Math.max(0,r/t.length-(a/t.length)**2))}return o}function ie(t,e,o,n,a){let[r,i]=[qt(e,n),qt(o,a)],s=new Float64Array(n*a);for(let c=0,d=0;c<n;c++){let{low:p,high:h,share:g}=r[c];for(let l=0;l<a;l++,d++){let{low:m,high:f,share:_}=i[l],b=(1-_)*t[p*o+m]+_*t[p*o+f],v=(1-_)*t[h*o+m]+_*t[h*o+f];s[d]=(1-g)*b+g*v}}return s}function qt(t,e){return Array.from({length:e},(o,n)=>{let a=Math.max(0,(n+.5)*t/e-.5),r=Math.min(Math.floor(a),t-1);return{low:r,high:Math.min(r+1,t-1),share:t===e?0:a-r}})}var Xt=new WeakMap;function Ye(t,e,o){let n=Xt.get(t)??new Map;return Xt.set(t,n),n.has(e)||n.set(e,o()),n.get(e)}function Je(t,e){let{height:o,width:n}=t.bundle;return Ye(t,`map ${e}`,()=>ie(t.map(e),t.rows,t.cols,o,n))}function Vt(t,e){return Ye(t,`strength ${e}`,()=>K(Je(t,e)))}function Gt(t,e,o){let{height:n,width:a}=t.bundle;return Ye(t,`step ${e} ${o}`,()=>{let[,,r,i]=t.tensor("extras.steps").shape,s=t.ofClass("extras.steps",e);return K(ie(s.subarray(o*r*i,(o+1)*r*i),r,i,n,a))})}function Se({entry:t,target:e,reference:o,direction:n,count:a,label:r,name:i="perturbed"}){let{bundle:s}=t,c=s.references[o][n];return u`<${T}
    name=${i}
    width=${s.width}
    height=${s.height}
    label=${r}
    draw=${d=>Bt(d,s.image,c,t.ranks(e),a,n)}
    deps=${[t,e,o,n,a]}
  />`}function Ce({entry:t,target:e,view:o,opacity:n,label:a}){let{width:r,height:i}=t.bundle;return u`<${T}
    name="map"
    width=${r}
    height=${i}
    draw=${c=>{o==="off"?c.fill(0):o==="contour"?Ot(c,t.ranks(e),r,n):(o==="signed"?Dt:q)(c,Vt(t,e),n)}}
    deps=${[t,e,o,n]}
    label=${a}
  />`}function N({bundle:t,color:e}){return u`<${T}
    width=${t.width}
    height=${t.height}
    deps=${[t,e]}
    draw=${o=>jt(o,t.image,e)}
  />`}function Kt({view:t}){return t==="signed"?u`<span class="key"><i class="ramp signed"></i>against to for</span>`:t==="contour"?u`<span class="key">top 5, 15, 30 %</span>`:t==="off"?u`<span class="key">map hidden</span>`:u`<span class="key"><i class="ramp"></i>low to high</span>`}var A={left:44,right:22,top:22,bottom:34};function ee(t){let{series:e,position:o,max:n,height:a=200,label:r,axis:i,marker:s,range:c=[0,1],onScrub:d,ticks:p}=t,{formatX:h=$=>C($/n),formatY:g=$=>C($)}=t,l=R(null),m=qo(l),f=$=>A.left+(m-A.left-A.right)*$/(n||1),_=$=>a-A.bottom-(a-A.top-A.bottom)*($-c[0])/(c[1]-c[0]||1),b=w(()=>u`<g>
        ${[0,.25,.5,.75,1].map($=>c[0]+$*(c[1]-c[0])).map($=>u`<line class="grid" x1=${f(0)} x2=${f(n)} y1=${_($)} y2=${_($)} />
                <text class="tick" x=${A.left-8} y=${_($)+4} text-anchor="end">${g($)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map($=>$*n)).map($=>u`<text class="tick" x=${f($)} y=${a-A.bottom+16} text-anchor="middle"
              >${h($)}</text
            >`)}
        <text class="tick" x=${(f(0)+f(n))/2} y=${a-3} text-anchor="middle">${i}</text>
        ${s&&u`<line class=${`marker ${s.good?"good":""}`} x1=${f(s.at)} x2=${f(s.at)} y1=${A.top} y2=${a-A.bottom} />`}
        ${e.map($=>u`<${Wo} key=${$.name} series=${$} toX=${f} toY=${_} />`)}
        ${s&&u`<text
            class=${`marker-text ${s.good?"good":""}`}
            text-anchor=${s.at>.6*n?"end":"start"}
            x=${f(s.at)+(s.at>.6*n?-6:6)}
            y=${A.top-8}
            >${s.text}</text
          >`}
      </g>`,[e,m,a,n,s?.at,s?.text]),v=$=>{let P=$.currentTarget.getBoundingClientRect(),J=($.clientX-P.left-A.left)/(m-A.left-A.right);d?.(Math.min(1,Math.max(0,J))*n)};return u`<div class="chart" ref=${l}>
    <svg width=${m} height=${a} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d&&{onPointerDown($){$.currentTarget.setPointerCapture($.pointerId),v($)},onPointerMove:$=>$.buttons&&v($)}}>
      ${b}
    </svg>
    ${o!==void 0&&u`<div
        class="cursor"
        style=${{transform:`translateX(${f(o)}px)`,top:`${A.top-4}px`,height:`${a-A.top-A.bottom+4}px`}}
      ></div>`}
  </div>`}function Wo({series:t,toX:e,toY:o}){let n=t.x.map((r,i)=>[e(r),o(t.y[i])]).filter(([,r])=>Number.isFinite(r)),a=n.map(([r,i])=>`${r.toFixed(1)},${i.toFixed(1)}`).join(" ");return u`<g
    class=${["series",t.strong&&"strong",t.dashed&&"dashed",t.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:t.color}}
  >
    <polyline points=${a} />
    ${!t.plain&&n.map(([r,i])=>u`<circle cx=${r.toFixed(1)} cy=${i.toFixed(1)} r=${t.strong?3.2:1.8} />`)}
  </g>`}function qo(t){let[e,o]=H(480);return $e(()=>{let n=t.current,a=()=>o(Math.max(200,Math.round(n.clientWidth))),r=new ResizeObserver(a);return r.observe(n),a(),()=>r.disconnect()},[]),e}var Ze={deletion:"removed",insertion:"shown"};function Ae({chosen:t,set:e,series:o,flip:n,valueText:a}){let{bundle:r,direction:i,count:s,reference:c}=t,d=Ze[i],p=w(()=>n==null?null:{at:n,...i==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[n,i]);return u`<div class="scrubber">
    <div class="row">
      <${F}
        label="Test by"
        value=${i}
        onChange=${h=>e({direction:h,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&u`<${F}
          label=${i==="deletion"?"Replace by":"Start from"}
          value=${r.references[c].name}
          onChange=${h=>e({reference:h})}
          options=${r.references.map(h=>[h.name,h.name])}
        />`}
    </div>
    <${ee}
      series=${o}
      position=${s}
      max=${r.pixels}
      marker=${p}
      onScrub=${h=>e({count:Yt(t,h)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${Qe} name="scrub" chosen=${t} set=${e} valueText=${a} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${C(s/r.pixels,1)} · ${re(s)} pixels ${d}</span>
    </p>
  </div>`}function Qe({name:t,chosen:e,set:o,valueText:n}){let{bundle:a,direction:r,count:i,curve:s}=e,{pixels:c}=a,d=l=>o({count:Math.min(c,Math.max(0,l))}),p=s.counts.filter(l=>l<i).at(-1),h=s.counts.find(l=>l>i),g=l=>{let m={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[l.key],f={PageUp:h??i,PageDown:p??i,Home:0,End:c}[l.key];m===void 0&&f===void 0||(l.preventDefault(),d(f??i+Math.round((m??0)*c/100)))};return u`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>d(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${t}
      min="0"
      max=${c}
      step="1"
      value=${i}
      aria-label=${`Pixels ${Ze[r]}`}
      aria-valuetext=${`${C(i/c,1)} of the pixels ${Ze[r]}. ${n}`}
      style=${{"--filled":`${100*i/c}%`}}
      onInput=${l=>o({count:Yt(e,Number(l.currentTarget.value))})}
      onKeyDown=${g}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${h===void 0}
      onClick=${()=>d(h??0)}
    >
      ›
    </button>
  </div>`}var Yt=({bundle:t,curve:e},o)=>Ht(e.counts,Math.round(o),.008*t.pixels);function Jt(t){let e=R(0);return(o,n)=>{if(cancelAnimationFrame(e.current),matchMedia("(prefers-reduced-motion: reduce)").matches)return t({count:n});let a=performance.now(),r=i=>{let s=Math.min(1,Math.max(0,(i-a)/700));t({count:s<1?Math.round(o+(n-o)*s*s*(3-2*s)):n}),s<1&&(e.current=requestAnimationFrame(r))};e.current=requestAnimationFrame(r)}}function I(t,e){let o=t.entries[e.method]??t.entries[0],n=Math.max(0,t.targets.indexOf(e.class)),a=Math.max(0,t.references.findIndex(r=>r.name===e.reference));return{bundle:t,entry:o,target:n,explained:t.info(t.targets[n]),reference:a,count:Math.round(Math.min(t.pixels,Math.max(0,e.count))),direction:e.direction,curve:o.curve(n,e.direction,a),view:{zoom:Math.max(1,e.zoom),x:e.x,y:e.y}}}var Y=t=>`var(--series-${t%8})`;function Zt({bundle:t,state:e,set:o}){let n=I(t,e),{target:a,reference:r,direction:i,count:s,explained:c,view:d}=n,p=w(()=>Ko(n),[t,a,r,i]),h=t.entries.map(m=>Me(m.curve(a,i,r),s).values[c.slot]),g=t.entries.map((m,f)=>`${m.method} ${S(h[f])}`).join(", "),l=w(()=>u`<section class="card scores" aria-label="Scores">
          <h2>Scores</h2>
          <${Go} chosen=${n} state=${e} set=${o} />
        </section>
        <${Vo} chosen=${n} set=${o} />`,[t,a,r,e.sort,e.descending,e.zoom,e.x,e.y]);return u`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${c.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${i==="deletion"?"drops":"rises"}. A map is worth
        looking at if it beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${t.targets.length>1&&u`<${F}
          label="Explain"
          value=${String(c.index)}
          onChange=${m=>o({class:Number(m)})}
          options=${t.targets.map(m=>[String(m),t.className(m)])}
        />`}
      <${F}
        label="Show"
        value=${e.show}
        onChange=${m=>o({show:m})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${e.show!=="image"&&u`<${F}
          label="Map"
          value=${e.view}
          onChange=${m=>o({view:m})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>o(W(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>o(W(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>o({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>
    <div class="compare">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${c.name}</h2>
        <${Ae} chosen=${n} set=${o} series=${p} valueText=${g} />
        <p class="names">
          ${t.entries.map((m,f)=>u`<span><i class="swatch" style=${{background:ze(m,f)}}></i>${m.method}</span>`)}
        </p>
      </section>
      <section class="methods" aria-label="Methods">
        ${t.entries.map((m,f)=>u`<${Xo} key=${f} entry=${m} chosen=${n} state=${e} set=${o} color=${ze(m,f)} value=${h[f]} />`)}
      </section>
      <div class="dock"><${Qe} name="dock" chosen=${n} set=${o} valueText=${g} /></div>
      ${l}
    </div>`}function Xo({entry:t,chosen:e,state:o,set:n,color:a,value:r}){let{bundle:i,target:s,reference:c,direction:d,count:p,view:h}=e,g={width:i.width,height:i.height,view:h,onView:n},l=u`<i class="swatch" style=${{background:a}}></i>${t.method}`,m=o.show!=="image";return u`<div class="method">
    ${m&&u`<${z} ...${g} title=${l} note=${o.show==="map"?S(r):void 0}>
        <${N} bundle=${i} /><${Ce}
          entry=${t}
          target=${s}
          view=${o.view}
          opacity=${o.opacity}
          label=${`Map by ${t.method}`}
      /><//>`}
    ${o.show!=="map"&&u`<${z}
        ...${g}
        title=${m?u`<span class="muted">${i.className(i.targets[s])}</span>`:l}
        note=${u`<b>${S(r)}</b>`}
      >
        <${Se}
          entry=${t}
          target=${s}
          reference=${c}
          direction=${d}
          count=${p}
          label=${`Perturbed by ${t.method}: ${S(r)}`}
      /><//>`}
  </div>`}function Vo({chosen:{bundle:t,target:e,view:o},set:n}){let a=t.entries.filter(s=>!s.isBaseline),r=w(()=>a.length>1?Wt(a.map(s=>s.ranks(e))):null,[t,e]);if(!r)return null;let i=r.reduce((s,c)=>s+c,0)/r.length;return u`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${a.map(s=>s.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${C(i)}.
    </p>
    <${z} title="Spread of the ranks" width=${t.width} height=${t.height} view=${o} onView=${n}>
      <${N} bundle=${t} />
      <${T}
        name="disagreement"
        width=${t.width}
        height=${t.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${s=>q(s,K(r),.9)}
      />
    <//>
  </section>`}function Go({chosen:{bundle:t,reference:e,explained:o},state:n,set:a}){let r=t.references[e].name,i=[...new Map(t.entries.flatMap(m=>m.scores.map(f=>[f.metric,f.higher_is_better])))],s=(m,f)=>{if(f==="passes")return m.cost.forwards+m.cost.backwards;let _=m.scores.filter(b=>b.metric===f&&b.target===o.index);return(_.find(b=>b.reference===r)??_.find(b=>b.reference==="all"))?.score??null},c=[...i,["passes",!1]],d=n.descending?-1:1,p=[...t.entries].sort((m,f)=>d*((s(m,n.sort)??-1/0)-(s(f,n.sort)??-1/0))),h=new Map(c.map(([m,f])=>{let _=t.entries.map(b=>s(b,m)).filter(b=>b!==null);return[m,f?Math.max(..._):Math.min(..._)]})),g=(m,f)=>a(m===n.sort?{descending:!n.descending}:{sort:m,descending:f}),l=(m,f)=>m===n.sort?n.descending?"▼":"▲":f?"↑":"↓";return u`<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">method</th>
            ${c.map(([m,f])=>u`<th
                  scope="col"
                  key=${m}
                  aria-sort=${m===n.sort?n.descending?"descending":"ascending":"none"}
                >
                  <button type="button" onClick=${()=>g(m,f)}>
                    ${xe(m)} <span aria-hidden="true">${l(m,f)}</span>
                  </button>
                </th>`)}
          </tr>
        </thead>
        <tbody>
          ${p.map(m=>u`<tr key=${t.entries.indexOf(m)}>
                <th scope="row">
                  <i class="swatch" style=${{background:ze(m,t.entries.indexOf(m))}}></i
                  >${m.method}
                </th>
                ${c.map(([f])=>{let _=s(m,f),b=_===null?"–":f==="passes"?String(Math.round(_)):_.toFixed(3);return u`<td
                    class=${f!=="passes"&&_!==null&&_===h.get(f)?"best":""}
                  >
                    ${b}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${r}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var ze=(t,e)=>t.isBaseline?"var(--muted)":Y(e);function Ko({bundle:t,target:e,direction:o,reference:n,explained:a}){let r=t.watched.length;return t.entries.map((i,s)=>{let{counts:c,probabilities:d}=i.curve(e,o,n),p=c.map((h,g)=>d[g*r+a.slot]);return{name:`${s} ${i.method}`,color:ze(i,s),x:c,y:p,strong:!i.isBaseline,dashed:i.isBaseline}})}var Qt=95367431640625e-20;function eo(t,{temperatures:e,mode:o,scale:n}){let a=e.map(d=>o==="multiply"?d:1/d),r=n==="max"&&Yo(t)||1,i=t[0].length,s=t.map(()=>new Float64Array(i)),c=new Float64Array(t.length);for(let d=0;d<i;d++){let p=Math.max(...t.map(h=>h[d]));for(let h of a){let g=0;for(let l=0;l<t.length;l++)g+=c[l]=Math.exp((t[l][d]-p)/r*h);for(let l=0;l<t.length;l++)s[l][d]+=c[l]/g/a.length}}return s}function to(t,e,o){let n=1/t.length,a=Math.max(o,Qt);return t.map((r,i)=>r.map((s,c)=>e[i][c]-n>a?s*e[i][c]:0))}function oo(t,e){let o=1/t.length;return t[0].map((n,a)=>{let r=Math.min(...t.map(s=>Math.max(s[a],0))),i=Math.max(...e.map(s=>s[a]));return r*(1-(i-o)/(1-o))})}function no(t,e){let o=t.map(n=>new Float64Array(n.length));for(let n=0;n<t[0].length;n++){let a=e.map(c=>c[n]),r=Math.max(...a),i=a.indexOf(r),s=Math.max(...a.filter((c,d)=>d!==i));r-s>Qt&&(o[i][n]=Math.max(t[i][n],0)*(r-s))}return o}function Yo(t){let e=0;for(let o of t)for(let n of o)e=Math.max(e,Math.abs(n));return e}function et(t,e,o){let n=e.map(r=>Je(t,r)),a=eo(n,o);return{distribution:a,own:to(n,a,o.tau),won:no(n,a),shared:oo(n,a)}}function Jo(t){let e=t.split(/[\s,;]+/).filter(Boolean).map(Number);return e.length&&e.every(o=>o>=0&&o<1/0)?e:null}function ro({bundle:t,state:e,set:o}){let{view:n}=I(t,e),a=t.entries.filter(x=>!x.classAgnostic),r=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],i=Math.max(0,t.targets.indexOf(e.a)),s=t.targets.includes(e.b)&&t.targets.indexOf(e.b)!==i?t.targets.indexOf(e.b):+(i===0),c=Jo(e.temperatures),d=c&&(e.mode==="multiply"||c.every(Boolean))?c:[1,5,100],p=w(()=>et(r,[i,s],{temperatures:d,mode:e.mode,scale:e.scaled?"max":null,tau:e.tau}),[r,i,s,d.join(),e.mode,e.scaled,e.tau]),h=w(()=>ke(p.own),[p]),[g,l]=[i,s].map(x=>t.className(t.targets[x])),m=[Math.min(1,2*(1-e.mix)),Math.min(1,2*e.mix)],f=p.own.map(x=>x.reduce(($,P)=>$+ +(P!==0),0)/x.length),_={width:t.width,height:t.height,view:n,onView:o},b=t.targets.map(x=>[x,t.className(x)]),v=(x,$,P,J,Z)=>u`<${N} bundle=${t} color=${0} /><${T}
        name=${x}
        width=${t.width}
        height=${t.height}
        label=${Z}
        deps=${[$,P]}
        draw=${D=>Ut(D,$,P,J)}
      />`;return u`<header class="intro">
      <h1>Why <strong class="class-a">${g}</strong> and not <strong class="class-b">${l}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR). Slide from one
        class to the other. The model gives${" "}
        ${g} ${S(t.info(t.targets[i])?.probability??0)} and ${l} ${S(t.info(t.targets[s])?.probability??0)}.
      </p>
    </header>
    <div class="choices row">
      <${ve}
        label="A"
        value=${t.targets[i]}
        options=${b}
        onChange=${x=>o(x===t.targets[s]?{a:x,b:t.targets[i]}:{a:x})}
      />
      <${ve}
        label="B"
        value=${t.targets[s]}
        options=${b}
        onChange=${x=>o(x===t.targets[i]?{a:t.targets[s],b:x}:{b:x})}
      />
      <${ve}
        label="Method"
        value=${t.entries.indexOf(r)}
        options=${a.map(x=>[t.entries.indexOf(x),x.method])}
        onChange=${x=>o({method:x})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${z} ...${_} title="Who wins where" note="gray: neither">
          <${N} bundle=${t} color=${0} />
          <${T}
            name="winners"
            width=${t.width}
            height=${t.height}
            label=${`${g} in orange, ${l} in blue`}
            deps=${[p,...m]}
            draw=${x=>Rt(x,p.won,m,.9)}
          />
        <//>
        <${U}
          label="From A to B"
          name="mix"
          value=${e.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${Zo(e.mix,g,l)}
          onInput=${x=>o({mix:x})}
          ends=${[u`<b class="class-a">${g}</b>`,u`<b class="class-b">${l}</b>`]}
        />
      </section>
      <section class="parts">
        <${z}
          ...${_}
          title=${u`<i class="swatch class-a"></i>Only for ${g}`}
          note=${`${C(f[0])} of the pixels`}
          >${v("own-a",p.own[0],h,0,`Evidence that ${g} keeps`)}<//
        >
        <${z}
          ...${_}
          title=${u`<i class="swatch class-b"></i>Only for ${l}`}
          note=${`${C(f[1])} of the pixels`}
          >${v("own-b",p.own[1],h,1,`Evidence that ${l} keeps`)}<//
        >
        <${z} ...${_} title=${u`<i class="swatch class-shared"></i>Shared`}
          >${v("shared",p.shared,ke([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${e.temperatures}
              aria-invalid=${!c}
              inputmode="decimal"
              onChange=${x=>o({temperatures:x.currentTarget.value})}
          /></label>
          <${F}
            label="They are"
            value=${e.mode}
            onChange=${x=>o({mode:x})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${U}
            label="Threshold above an even share"
            name="tau"
            value=${e.tau}
            min=${0}
            max=${.5}
            step=${.01}
            text=${e.tau.toFixed(2)}
            onInput=${x=>o({tau:x})}
          />
          <${be}
            label="Scale the maps to a largest value of 1 first"
            checked=${e.scaled}
            onChange=${x=>o({scaled:x})}
          />
        </div>
      </section>
    </div>`}function Zo(t,e,o){return t===.5?"both":t<.5?t===0?`only ${e}`:`mostly ${e}`:t===1?`only ${o}`:`mostly ${o}`}function ao(t,e,o){let n=Array.from(t),a=n.map((s,c)=>s>=o?1-(c+1)/n.length:s),r=Math.max(...a),i=Math.max(...n)/(r>0?r:1);return n.map((s,c)=>(1-e)*s+e*a[c]*i)}function io(t,e){let o=new Float64Array(t.length);return t.forEach((n,a)=>o[e[a]]=n),o}var tt=["extras.order","extras.sparse"];function Te(t,e,o){let n=Number(t.options.kappa??.005),a=ao(t.ofClass("extras.sparse",e),o,n);return{ranked:a,map:io(a,t.ofClass("extras.order",e))}}function so({bundle:t,state:e,set:o}){let{target:n,view:a,explained:r}=I(t,e),i=t.entries.filter(f=>f.has(...tt)),s=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],c=Math.min(1,Math.max(0,e.gamma)),{ranked:d,map:p}=w(()=>Te(s,n,c),[s,n,c]),h=w(()=>Te(s,n,0).ranked,[s,n]),g=w(()=>K(ie(p,s.rows,s.cols,t.height,t.width)),[p]),l=d.map((f,_)=>_+1),m=w(()=>[{name:"sparse",color:"var(--muted)",x:l,y:h,plain:!0},{name:"now",color:"var(--series-0)",x:l,y:d,strong:!0,plain:!0}],[d]);return u`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <div class="explain">
      <section class="stage">
        <${z}
          title=${`${s.method} for ${r.name}`}
          note=${`gamma ${c.toFixed(2)}`}
          width=${t.width}
          height=${t.height}
          view=${a}
          onView=${o}
        >
          <${N} bundle=${t} />
          <${T}
            name="density"
            width=${t.width}
            height=${t.height}
            deps=${[g]}
            label=${`Map at gamma ${c.toFixed(2)}`}
            draw=${f=>q(f,g,.9)}
        /><//>
      </section>
      <section class="card">
        <h2>Magnitude by rank</h2>
        <${ee}
          series=${m}
          max=${l.length}
          range=${[0,Math.max(...h)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${f=>String(Math.round(f))}
          formatY=${f=>f.toFixed(2)}
        />
        <${U}
          label="Gamma"
          name="gamma"
          value=${c}
          min=${0}
          max=${1}
          step=${.01}
          text=${c.toFixed(2)}
          onInput=${f=>o({gamma:f})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function co({classes:t,values:e,measured:o,explained:n,winner:a}){return u`<ul class=${`bars ${o?"":"between"}`} aria-label="Class probabilities">
    ${t.map(({index:r,name:i,slot:s,probability:c})=>u`<li
          key=${r}
          data-class=${r}
          data-probability=${e[s]}
          class=${`${r===n?"explained":""} ${r===a?"winner":""}`}
          style=${{color:Y(s)}}
        >
          <span class="name" title=${i}>${i}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${e[s]})`}}></i><b style=${{left:`${100*c}%`}}></b
          ></span>
          <span class="value">${S(e[s])}</span>
        </li>`)}
  </ul>`}function lo({chosen:{bundle:t,entry:e,target:o,reference:n,explained:a}}){let r=t.references[n].name,i=e.scores.filter(d=>d.target===a.index&&d.reference===r),s=Object.entries(e.checks).filter(([,d])=>!d[o]),c=Object.entries(e.options).map(([d,p])=>`${d}=${JSON.stringify(p)}`);return u`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${e.about&&u`<p>${e.about}</p>`}
    <dl>
      ${i.map(d=>u`<div>
            <dt>${xe(d.metric)}</dt>
            <dd>
              ${d.score?.toFixed(3)??"undefined"} <span class="muted">${d.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${re(Math.round(e.cost.forwards))} forward and ${re(Math.round(e.cost.backwards))} backward
          passes, ${e.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${s.length?u`<b class="bad">failed: ${s.map(([d])=>d).join(", ")}</b>`:`passed: ${Object.keys(e.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${c.join(", ")||"defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${e.rows} × ${e.cols} values${e.classAgnostic&&", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${t.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${Ge}
        text=${e.code}
        label="Copy code"
      />${e.citation&&u`<${Ge} text=${e.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${e.code}</pre>
    </details>
    ${e.citation&&u`<details>
        <summary>Citation</summary>
        <pre>${e.citation}</pre>
      </details>`}
  </section>`}function po({bundle:t,state:e,set:o}){let n=I(t,e),{entry:a,target:r,reference:i,direction:s,count:c,curve:d,explained:p}=n,h=w(()=>Lt(d,t.prediction,s),[a,r,i,s]),g=w(()=>rn(n),[a,r,i,s]),l=Me(d,c),m=Jt(o),f=C(c/t.pixels),_={width:t.width,height:t.height,view:n.view,onView:o},b=w(()=>{let $=u`<${Ce}
      entry=${a}
      target=${r}
      view=${e.view}
      opacity=${e.opacity}
      label=${`Map by ${a.method} for ${p.name}`}
    />`,P=u`<${Kt} view=${e.view} />`;return{layer:$,top:u`<${Qo} chosen=${n} /><${en} chosen=${n} set=${o} />`,map:e.side&&u`<${z} ...${_} title="The map" note=${P}><${N} bundle=${t} />${$}<//>`,controls:u`<${tn} state=${e} set=${o} />`,facts:u`<${lo} chosen=${n} />`}},[a,r,i,s,e.view,e.opacity,e.side,e.zoom,e.x,e.y]),v=s==="deletion"?"removed":"shown",x=c?`${f} ${v}`:s==="deletion"?"untouched":"nothing yet";return u`${b.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${e.side?"two":"one"}`}>
          <${z} ...${_} title="What the model sees" note=${x}>
            <${Se}
              entry=${a}
              target=${r}
              reference=${i}
              direction=${s}
              count=${c}
              label=${`The image with ${f} of its pixels ${v}`}
            />
            ${!e.side&&b.layer}
          <//>
          ${b.map}
        </div>
        ${b.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        <${Ae}
          chosen=${n}
          set=${o}
          series=${g}
          flip=${h}
          valueText=${`${p.name} ${S(l.values[p.slot])}`}
        />
        <${on} chosen=${n} flip=${h} onGo=${()=>h!==null&&m(c,h)} />
        <${nn} chosen=${n} now=${l} />
        <${co}
          classes=${t.watched}
          values=${l.values}
          measured=${l.measured}
          explained=${p.index}
          winner=${l.measured?d.top1[l.left]:null}
        />
      </section>
      ${b.facts}
    </div>`}function Qo({chosen:{bundle:t,entry:e,explained:o,direction:n}}){let a=t.info(t.prediction),r=o.index!==t.prediction,i=n==="deletion"?"Drag along the curve to remove its most important pixels first: if the map is right, the model changes its mind early.":"Drag along the curve to show only its most important pixels: if the map is right, the model recognizes the image early.";return u`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${a&&u` <span class="muted">with ${S(a.probability)} probability</span>`}
    </h1>
    <p>
      ${e.isBaseline?u`<code>${e.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:u`The map shows where <code>${e.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${S(o.probability)})`}.`} ${i}
    </p>
  </header>`}function en({chosen:{bundle:t,entry:e,explained:o},set:n}){return u`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${t.targets.map(a=>{let r=t.info(a);return u`<button
            type="button"
            class="chip"
            key=${a}
            aria-pressed=${a===o.index}
            onClick=${()=>n({class:a})}
          >
            <i style=${{background:Y(r.slot)}}></i>${r.name}
            <span>${S(r.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${t.entries.map((a,r)=>u`<button
              type="button"
              class="chip"
              key=${r}
              aria-pressed=${a===e}
              title=${a.about}
              onClick=${()=>n({method:r})}
            >
              ${a.method}${a.isBaseline&&u` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function tn({state:t,set:e}){return u`<div class="row controls">
    <${F}
      label="Map"
      value=${t.view}
      onChange=${o=>e({view:o})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${U}
      label="Opacity"
      name="opacity"
      value=${t.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${C(t.opacity)}
      onInput=${o=>e({opacity:o})}
    />
    <${be} label="Side by side" checked=${t.side} onChange=${o=>e({side:o})} />
    ${t.zoom>1&&u`<button type="button" class="button" onClick=${()=>e({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function on({chosen:{bundle:t,direction:e,curve:o},flip:n,onGo:a}){let r=t.className(t.prediction),i=e==="deletion"?"Remove until the decision flips":`Add until the model says ${r}`;if(n===null)return u`<p class="flip muted">
      ${e==="deletion"?`The model says ${r} at every measured point.`:`The model never says ${r} on this curve.`}
    </p>`;let s=t.className(o.top1[o.counts.indexOf(n)]);return u`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${n} onClick=${a}>${i}</button>
    <span class="muted"
      >at ${C(n/t.pixels)}, the smallest measured
      step${e==="deletion"&&`; then it says ${s}`}</span
    >
  </p>`}function nn({chosen:{bundle:t,curve:e,explained:o},now:n}){let a=c=>t.className(e.top1[c]),r=c=>C(e.counts[c]/t.pixels);if(!n.measured){let c=a(n.left)===a(n.right);return u`<p class="verdict">
      Between two measured points: ${o.name} about <b>${S(n.values[o.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${r(n.left)} and ${r(n.right)}: ${c?a(n.left):`${a(n.left)}, then ${a(n.right)}`}.
      </span>
    </p>`}let i=e.top1[n.left]!==t.prediction,s=t.info(e.top1[n.left]);return u`<p class=${`verdict ${i?"changed":""}`}>
    The model ${i?"now says":"says"} <b>${a(n.left)}</b>${s?u` with <b>${S(n.values[s.slot])}</b>`:" (not among the watched classes)"}.
  </p>`}function rn({bundle:t,curve:e,explained:o}){let n=t.watched.length;return t.watched.map(({name:r,slot:i,index:s})=>({name:r,color:Y(i),x:e.counts,y:e.counts.map((c,d)=>e.probabilities[d*n+i]),strong:s===o.index})).sort((r,i)=>Number(r.strong)-Number(i.strong))}var ot=["extras.steps","extras.objective"];function uo({bundle:t,state:e,set:o}){let{target:n,view:a,explained:r}=I(t,e),i=t.entries.filter(_=>_.has(...ot)),s=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],c=s.tensor("extras.steps").shape[1]-1,d=Math.round(Math.min(c,Math.max(0,e.step))),[p,h]=H(!1);_e(()=>{if(!p)return;let _=setTimeout(()=>d<c?o({step:d+1}):h(!1),250);return()=>clearTimeout(_)},[p,d,c]);let g=w(()=>Array.from(s.ofClass("extras.objective",n)),[s,n]),l=g.filter(Number.isFinite),m=w(()=>[{name:"objective",color:"var(--series-0)",x:g.map((_,b)=>b),y:g,strong:!0}],[g]),f=()=>{!p&&d===c&&o({step:0}),h(!p)};return u`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> improved</h1>
      <p>
        <code>${s.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner. Drag along the objective to see the map after each step.
      </p>
    </header>
    <div class="explain">
      <section class="stage">
        <${z}
          title=${`Step ${d} of ${c}`}
          note=${Number.isFinite(g[d])?`objective ${g[d].toFixed(3)}`:""}
          width=${t.width}
          height=${t.height}
          view=${a}
          onView=${o}
        >
          <${N} bundle=${t} />
          <${T}
            name="film"
            width=${t.width}
            height=${t.height}
            deps=${[s,n,d]}
            label=${`Map after ${d} steps`}
            draw=${_=>q(_,Gt(s,n,d),.9)}
        /><//>
      </section>
      <section class="card">
        <h2>Objective</h2>
        <${ee}
          series=${m}
          position=${d}
          max=${c}
          range=${an(l)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(c/2),c]}
          formatX=${String}
          formatY=${_=>_.toFixed(2)}
          onScrub=${_=>o({step:Math.round(_)})}
        />
        <${U}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${c}
          step=${1}
          text=${`${d} of ${c}`}
          onInput=${_=>o({step:_})}
        />
        <button type="button" class="button primary" onClick=${f}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function an(t){if(!t.length)return[0,1];let[e,o]=[Math.min(...t),Math.max(...t)],n=.1*(o-e||1);return[e-n,o+n]}var sn=[{name:"explain",title:"Explain",screen:po,offered:()=>!0},{name:"compare",title:"Compare",screen:Zt,offered:t=>t.entries.length>1},{name:"contrast",title:"A or B",screen:ro,offered:t=>t.targets.length>1&&t.entries.some(e=>!e.classAgnostic)},{name:"density",title:"Density",screen:so,offered:t=>t.entries.some(e=>e.has(...tt))},{name:"film",title:"Film",screen:uo,offered:t=>t.entries.some(e=>e.has(...ot))}];function mo({bundles:t,store:e}){let[o,n]=H(e.state);_e(()=>{let c=()=>n(e.state);return e.listeners.push(c),c(),()=>{e.listeners.splice(e.listeners.indexOf(c),1)}},[]);let a=t[o.image]===void 0?0:o.image,r=t[a];if(!r)return u`<p class="intro">Reading the image…</p>`;let i=sn.filter(c=>c.offered(r)),s=i.find(c=>c.name===o.screen)??i[0];return u`<nav class="top" aria-label="Explorer">
      <span class="brand">seewhy</span>
      ${i.length>1&&u`<${cn} screens=${i} current=${s.name} onChange=${c=>e.set({screen:c})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${t.length>1&&u`<${ln} bundles=${t} current=${a} onChange=${c=>e.set({image:c,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${s.title} data-screen=${s.name}>
      <${s.screen} key=${a} bundle=${r} state=${o} set=${e.set} />
    </div>`}function cn({screens:t,current:e,onChange:o}){return u`<div class="tabs" role="tablist" onKeyDown=${a=>{let r={ArrowLeft:-1,ArrowRight:1}[a.key];if(!r)return;let s=(t.findIndex(c=>c.name===e)+r+t.length)%t.length;o(t[s].name),a.currentTarget.children[s].focus()}}>
    ${t.map(({name:a,title:r})=>u`<button
          type="button"
          role="tab"
          key=${a}
          aria-selected=${a===e}
          tabindex=${a===e?0:-1}
          onClick=${()=>o(a)}
        >
          ${r}
        </button>`)}
  </div>`}function ln({bundles:t,current:e,onChange:o}){return u`<div class="strip" role="group" aria-label="Images">
    ${t.map((n,a)=>u`<button type="button" key=${a} aria-pressed=${a===e} onClick=${()=>o(a)}>
          ${n?u`<${T} width=${n.width} height=${n.height} deps=${[n]} draw=${r=>r.set(n.image)} />`:u`<span class="blank"></span>`}
          <span
            >${n?`${n.className(n.prediction)} ${S(n.info(n.prediction)?.probability??0)}`:"…"}</span
          >
        </button>`)}
  </div>`}var ho={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I32:Int32Array,F32:Float32Array};function fo(t,{packed:e=!1}={}){let o=new DataView(t.buffer,t.byteOffset,t.byteLength),n=8+Number(o.getBigUint64(0,!0)),a=JSON.parse(new TextDecoder().decode(t.subarray(8,n))),r=new Map;for(let[i,s]of Object.entries(a)){if(i==="__metadata__")continue;let[c,d]=s.data_offsets,p=t.slice(n+c,n+d),h=s.shape,g=e?pn(p,ho[s.dtype].BYTES_PER_ELEMENT):p,l=new ho[s.dtype](g.buffer);e&&s.dtype.startsWith("U")&&dn(l,h[h.length-1]),r.set(i,{values:l,shape:h})}return{metadata:a.__metadata__??{},tensors:r}}function pn(t,e){let o=t.length/e,n=new Uint8Array(t.length);for(let a=0;a<e;a++)for(let r=0;r<o;r++)n[r*e+a]=t[a*o+r];return n}function dn(t,e){for(let o=0;o<t.length;o+=e)for(let n=o+1;n<o+e;n++)t[n]+=t[n-1]}var un=["deletion","insertion"],mn=["random","center"],rt=class{constructor(e,o,n){this.bundle=n,this.method=e.method,this.about=e.about,this.options=e.options,this.classAgnostic=e.class_agnostic,this.cost=e.cost,this.checks=e.checks,this.scores=e.scores,this.citation=e.citation,this.code=e.code,this.tensors=o;let[,a,r]=this.tensor("maps").shape;this.rows=a,this.cols=r,this.isBaseline=mn.includes(this.method)}tensor(e){let o=this.tensors.get(e);if(!o)throw new Error(`the bundle holds no ${e} of ${this.method}`);return o}has(...e){return e.every(o=>this.tensors.has(o))}ofClass(e,o){let{values:n,shape:a}=this.tensor(e),r=n.length/a[0],i=a[0]===1?0:o;return n.subarray(i*r,(i+1)*r)}map(e){return this.ofClass("maps",e)}ranks(e){return this.ofClass("ranks",e)}curve(e,o,n){let a=this.bundle.counts[o],r=this.bundle.references.length,i=un.indexOf(o)*r+n,s=this.bundle.watched.length,c=this.ofClass("probabilities",e),d=this.ofClass("top1",e),p=a.length;return{counts:a,probabilities:c.subarray(i*p*s,(i+1)*p*s),top1:d.subarray(i*p,(i+1)*p)}}},at=class{constructor(e,o){this.name=e.name,this.model=e.model,this.targets=e.targets,this.prediction=e.prediction,this.counts=e.counts,this.classNames=e.class_names;let n=o.get("image");if(!n)throw new Error("the bundle holds no image");this.height=n.shape[1],this.width=n.shape[2],this.pixels=this.height*this.width,this.image=nt(n,this.pixels),this.watched=e.watched.map((a,r)=>({index:a,slot:r,name:this.className(a),probability:e.probabilities[r]})),this.references=e.references.map(a=>({name:a,deletion:nt(o.get(`references.${a}.deletion`),this.pixels),insertion:nt(o.get(`references.${a}.insertion`),this.pixels)})),this.entries=e.explanations.map((a,r)=>new rt(a,hn(o,`explanations.${r}.`),this))}className(e){return(this.classNames[e]??`class ${e}`).split(",")[0]}info(e){return this.watched.find(o=>o.index===e)}};async function go(t){let e=Uint8Array.from(atob(t.trim()),i=>i.charCodeAt(0)),o=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(o).arrayBuffer()),{metadata:a,tensors:r}=fo(n,{packed:!0});return new at(JSON.parse(a.seewhy),r)}function nt({values:t},e){let o=t.length/3,n=new Uint8ClampedArray(e*4);for(let a=0,r=0;a<e;a++,r+=4){let i=o===1?0:a;n[r]=t[i],n[r+1]=t[o+i],n[r+2]=t[2*o+i],n[r+3]=255}return new Uint32Array(n.buffer)}function hn(t,e){return new Map([...t].filter(([o])=>o.startsWith(e)).map(([o,n])=>[o.slice(e.length),n]))}var xo={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,tau:0,mix:.5,gamma:0,step:0},_o={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"]};function $o(t){let e=new URLSearchParams(t.replace(/^#/,"")),o=Object.entries(xo).map(([n,a])=>[n,fn(n,e.get(n),a)]);return Object.fromEntries(o)}function fn(t,e,o){return e===null?o:typeof o=="boolean"?e==="1":typeof o=="number"?e.trim()&&Number.isFinite(Number(e))?Number(e):o:_o[t]&&!_o[t].includes(e)?o:e}function gn(t){let e=new URLSearchParams;for(let[o,n]of Object.entries(xo)){let a=t[o];a!==n&&e.set(o,typeof a=="boolean"?a?"1":"0":String(a))}return e.toString()}var Pe=class{constructor(){this.state=$o(location.hash),this.listeners=[],this.pending=0,addEventListener("hashchange",()=>this.change($o(location.hash)))}set=e=>{this.change({...this.state,...e}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};change(e){this.state=e,this.listeners.forEach(o=>o())}write(){let e=gn(this.state);try{history.replaceState(null,"",e?`#${e}`:location.pathname+location.search)}catch{}}};var bo=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--card);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.stage{min-width:0}.stage>.panel{max-width:620px}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,8fr);gap:20px;align-items:start}.curves{position:sticky;top:12px}.methods{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:16px 14px;min-width:0}.method{display:grid;gap:4px;align-content:start;min-width:0}.scores{grid-column:2}.disagreement{grid-column:1;grid-row:2}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:24px;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.explain{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.methods{order:-1}.curves{position:static}.scores,.disagreement{grid-column:1;grid-row:auto}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.strip button{width:76px;font-size:11px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var vo=new CSSStyleSheet;vo.replaceSync(bo);document.adoptedStyleSheets=[...document.adoptedStyleSheets,vo];var yo=document.getElementById("explorer"),Ee=[...document.querySelectorAll("script[data-bundle]")].map(t=>t.textContent??""),it=Ee.map(()=>null),Ne=new Pe;$n().catch(t=>{yo.textContent=`This file cannot be read: ${t.message}`});async function $n(){let t=Ee[Ne.state.image]===void 0?0:Ne.state.image;for(let e of[t,...Ee.keys()].filter((o,n,a)=>a.indexOf(o)===n))it[e]=await go(Ee[e]),bt(u`<${mo} bundles=${[...it]} store=${Ne} />`,yo),await new Promise(o=>setTimeout(o))}Object.assign(globalThis,{seewhyExplorer:{bundles:it,store:Ne,contrastClasses:et,densityMap:Te}});
