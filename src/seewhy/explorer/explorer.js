// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var y,pt,kn,B,Fe,de,dt,ce,ht,De,Ie,Mn,ne=Symbol.for("pv"),he={},ue=[],Sn=/^m(i|n|o|s|text|space)$/,Oe=Array.isArray,Re=ue.slice,G=Object.assign;function V(t){t&&t.parentNode&&t.remove()}function ut(t,e,n){var o,i,r,a={},s=arguments.length;for(r in e)r=="key"?o=e[r]:r=="ref"&&typeof t!="function"?i=e[r]:a[r]=e[r];return s>2&&(a.children=s>3?Re.call(arguments,2):n),te(t,a,o,i,null)}function te(t,e,n,o,i){var r={type:t,props:e,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ne,__v:i||++pt,__i:-1,__u:0};return!i&&y.vnode&&y.vnode(r),r}function me(t){return t.children}function le(t,e){this.props=t,this.context=e,this.__g=0}function L(t,e){if(e==null)return t.__&&L(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:L(t)}function Cn(t){var e,n=t.__v,o=n.__e,i=[],r=[],a=t.__P;a&&((e=G({constructor:ne},n)).__v=n.__v+1,y.vnode&&y.vnode(e),Ue(a,e,n,t.__n,a.namespaceURI,32&n.__u?[o]:null,i,o||L(n),32&n.__u,r),e.__v=n.__v,e.__.__k[e.__i]=e,xt(i,e,r),n.__=n.__e=null,e.__e!=o&&mt(e))}function mt(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),mt(t)}function ct(t){(8&t.__g||(t.__g|=8,B.push(t),de++))&&Fe==y.debounceRendering||((Fe=y.debounceRendering)||queueMicrotask)(ft)}function ft(){try{for(var t,e=1;B.length;)B.length>e&&B.sort(dt),t=B.shift(),e=B.length,8&t.__g&&Cn(t)}finally{(de=B.length)&&(Fe||queueMicrotask)(ft)}}function gt(t,e,n,o,i,r,a,s,c,d,p){var m,g,l,u,f,_,b=o.__k||ue,v=e.length;for(c=An(n,e,b,c,v),m=0;m<v;m++)(l=n.__k[m])!=null&&(g=~l.__i&&b[l.__i]||he,l.__i=m,_=Ue(t,l,g,i,r,a,s,c,d,p),u=l.__e,(g.ref!=l.ref||8&g.__u)&&(g.ref&&je(g.ref,null,l,g),l.ref&&p.push(l.ref,l.__c||u,l)),f=f||u,4&l.__u?(c=_t(l,c,t,!g.__v),g.__e&&(g.__e=null)):typeof l.type=="function"&&_!==void 0?c=_:u&&(c=u.nextSibling),l.__u&=-21);return n.__e=f,c}function An(t,e,n,o,i){var r,a,s,c,d,p,m,g,l,u=n.length,f=u,_=0,b=0,v=t.__k=Array(i);for(r=0;r<i;r++)(a=e[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[r]=te(null,a):Oe(a)?a=v[r]=te(me,{children:a}):a.constructor===ne&&a.__b?a=v[r]=te(a.type,a.props,a.key,a.ref,a.__v):v[r]=a,c=r+_,a.__=t,a.__b=t.__b+1,s=null,~(d=a.__i=zn(a,n,c,f))&&(f--,(s=n[d])&&(s.__u|=2)),s&&s.__v?(a.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,b=1)):(~d||(i>u?_--:i<u&&_++),typeof a.type!="function"&&(a.__u|=4))):v[r]=null;if(b){for(p=[],m=[],r=0;r<i;r++)if((a=v[r])&&16&a.__u){for(_=0,g=p.length;_<g;)p[l=_+g>>1]<a.__i?_=l+1:g=l;p[_]=a.__i,m[r]=_+1}for(_=p.length;r--;)m[r]&&(m[r]==_?_--:v[r].__u|=4)}if(f)for(r=0;r<u;r++)!(s=n[r])||2&s.__u||(s.__e==o&&(o=L(s)),Be(s,s));return o}function _t(t,e,n,o){var i,r,a,s;if(typeof t.type=="function"){if(t.props.__P)return e;if(i=t.__k)for(r=0;r<i.length;r++)i[r]&&(i[r].__=t,e=_t(i[r],e,n,!1));return e}for(e&&!e.parentNode&&(e=L(t))&&!e.parentNode&&(e=null),a=t.__e,s=e;s&&s.nodeType==8;)s=s.nextSibling;for(a!=s&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,e):n.insertBefore(a,e||null)),e=a;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function zn(t,e,n,o){var i,r=t.key,a=t.type,s=e[n],c=s&&!(2&s.__u);if(s===null&&r==null||c&&r==s.key&&a==s.type)return n;if(o>(c?1:0)){for(i=n-1;i>=0;i--)if((s=e[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i;for(i=n+1;i<e.length;i++)if((s=e[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i}return-1}function lt(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function se(t,e,n,o,i){var r,a;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof o=="string"&&(t.style.cssText=o=""),o)for(e in o)n&&e in n||lt(t.style,e);if(n)for(e in n)o&&n[e]==o[e]||lt(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(t.__e||(t.__e={}))[e]=n,n&&o||(a=Ie[e]||(Ie[e]=Tn(e)),(t.__a||(t.__a={}))[e]=De,r=e!=(e=e.replace(ht,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,a,r):t.removeEventListener(e,a,r));else{if(i=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function Tn(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[ce]==null)e[ce]=De++;else if(e[ce]<this.__a[t])return;return n(y.event?y.event(e):e)}}}function Ue(t,e,n,o,i,r,a,s,c,d){var p,m,g,l,u,f,_,b,v,x,$,P,J,Z,D,st,j,X,O=e.type;if(e.constructor!==ne)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(e.__u|=c,m=r=[],p.nodeType==8?s=pe(p,r):r.push(p),s=r[0]||s),(p=y.__b)&&p(e);e:if(typeof O=="function"){g=a.length;try{if(b=e.props,v=(p=O.prototype)&&p.render,x=(p=O.contextType)&&o[p.__c],$=p?x?x.props.value:p.__:o,(l=n.__c)?(e.__c=l,2&l.__g&&(l.__g|=1)):(v?e.__c=l=new O(b,$):(e.__c=l=new le(b,$),l.constructor=O,l.render=En),x&&x.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),v&&(l.__s||(l.__s=l.state),O.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=G({},l.__s)),G(l.__s,O.getDerivedStateFromProps(b,l.__s)))),u=l.props,f=l.state,l.__v=e,n.__c){if(b!==u&&v&&!O.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(b,$),e.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(b,l.__s,$)===!1){e.__v!=n.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(E){E&&(E.__=e)}),ue.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&a.push(l),s=L(n);break e}l.componentWillUpdate&&l.componentWillUpdate(b,l.__s,$),v&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(u,f,_)})}else v&&!O.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),v&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=$,l.props=b,l.__P=t,l.__g&=-5,P=y.__r,J=v?25:0;do l.__g&=-9,P&&P(e),p=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++J<25);v&&(ue.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=G({},o,l.getChildContext())),v&&n.__c&&l.getSnapshotBeforeUpdate&&(_=l.getSnapshotBeforeUpdate(u,f)),Z=p&&p.type===me&&p.key==null?p.props.children:p,b.__P&&(p=s,i=(t=b.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=t&&(n.__k.some(function(E){E&&Be(E,E)}),n.__k=null),s=n.__k?L(n,0):null),s=gt(t,Oe(Z)?Z:[Z],e,n,o,i,r,a,s,c,d),b.__P&&(e.__e=null,s=p),e.__u&=-161,m&&m.some(V),l.__h.length&&a.push(l),1&l.__g&&(l.__g&=-4)}catch(E){if(a.length=g,e.__v=null,c||r)if(E&&E.then){if(e.__u|=128|c,r){for(~(j=r.indexOf(s||void 0))||(j=r.length);(X=r[j-1])&&X.nodeType==8;)j--;for(;j<r.length;j++)if(X=r[j])if(r[j]=null,D){if(X==st)break}else{if(X.nodeType!=8)break;X.data.startsWith("$s")&&(st=pe(D=X))}}if(!D){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;D=s}(p=pe(D=e.__c.__z||(e.__c.__z=D)))?(e.__e=D,s=p):e.__e=s,s=s&&s.nextSibling}else r&&r.some(V);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),E&&E.then||$t(e),y.__e(E,e,n)}}else s=e.__e=Pn(n.__e,e,n,o,i,r,a,c,d,t);return(p=y.diffed)&&p(e),s}function pe(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function $t(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some($t))}function xt(t,e,n){for(var o=0;o<n.length;)je(n[o++],n[o++],n[o++]);y.__c&&y.__c(e,t),t.some(function(i){try{t=i.__h,i.__h=[],t.some(function(r){r.call(i)})}catch(r){y.__e(r,i.__v)}})}function Pn(t,e,n,o,i,r,a,s,c,d){var p,m,g,l,u,f,_,b,v=n.props||he,x=e.props,$=e.type;if($=="svg"?i="http://www.w3.org/2000/svg":$=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((u=r[p])&&($?u.localName==$:u.nodeType==3)){t=u,r[p]=null;break}}if(!t){if(b=d.ownerDocument||document,!$)return b.createTextNode(x);t=b.createElementNS(i,$,x.is?x:d),s&&(y.__m&&y.__m(e,r),s=!1),r=null}if($){if(d=$=="template"&&t.content||t,r=$=="textarea"&&x.defaultValue!=null?null:r&&Re.call(d.childNodes),!s&&r)for(v={},p=0;p<t.attributes.length;p++)v[(u=t.attributes[p]).name]=u.value;for(p in v)u=v[p],p=="dangerouslySetInnerHTML"?g=u:p=="children"||p in x||p=="value"&&"defaultValue"in x||p=="checked"&&"defaultChecked"in x||se(t,p,null,u,i);for(p in x)u=x[p],p=="children"?l=u:p=="dangerouslySetInnerHTML"?m=u:p=="value"?f=u:p=="checked"?_=u:s&&typeof u!="function"||v[p]===u||se(t,p,u,v[p],i);m?(s||g&&(m.__html==g.__html||m.__html==t.innerHTML)||(t.innerHTML=m.__html),e.__k=[]):(g&&(t.textContent=""),($=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&Sn.test($))&&(i="http://www.w3.org/1999/xhtml"),gt(d,Oe(l)?l:[l],e,n,o,i,r,a,r?r[0]:n.__k&&L(n,0),s,c),r&&r.some(V)),s&&$!="textarea"||(p="value",$=="progress"&&f==null?t.removeAttribute(p):f==null||f===t[p]&&($!="progress"||f)||se(t,p,f,v[p],i),p="checked",_!=null&&_!=t[p]&&se(t,p,_,v[p],i))}else v===x||s&&t.data==x||(t.data=x);return t}function je(t,e,n,o){try{typeof t=="function"?e?e.__x=t(e)||1:o&&(o=o.__c||o.__e)&&(e=o.__x)&&(o.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(i){y.__e(i,n)}}function Be(t,e,n){var o,i,r,a;if(y.unmount&&y.unmount(t),!(o=t.ref)||o.current&&o.current!=t.__e||je(o,null,e,t),o=t.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(s){y.__e(s,e)}o.__P=o.__n=null}if(o=t.__k)for(a=0;a<o.length;a++)o[a]&&Be(o[a],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(o=t.__c)&&(o=o.__z)&&(i=pe(o,r=[]))&&(o==t.__e&&r.some(V),V(i),V(o)),n||V(t.__e),t.__e=t.__c=t.__=null}function En(t,e,n){return this.constructor(t,n)}function bt(t,e){var n,o,i,r;y.__&&y.__(t,e),e.nodeType==9&&(e=e.documentElement),o=(n=t&&32&t.__u)?null:e.__k,e.__k=te(me,{children:[t]}),i=[],r=[],Ue(e,e.__k,o||he,he,e.namespaceURI,o?null:e.firstChild?Re.call(e.childNodes):null,i,o?o.__e:e.firstChild,n,r),xt(i,e.__k,r),e.__k.props.children=null}y={__e:function(t,e,n,o){for(var i,r,a;e=e.__;)if((i=e.__c)&&!(1&i.__g)){i.__g|=4;try{if((a=(r=i.constructor)&&r.getDerivedStateFromError)&&i.setState(r.getDerivedStateFromError(t)),i.componentDidCatch&&(i.componentDidCatch(t,o||{}),a=1),a&&8&i.__g)return void(i.__g|=2)}catch(s){t=s}}throw de=0,t}},pt=0,kn=function(t){return t!=null&&t.constructor===ne},le.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=G({},this.state)),typeof t=="function"&&(t=t(G({},n),this.props)),t&&(G(n,t),this.__v&&(e&&this.__k.push(e),ct(this)))},le.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),ct(this))},le.prototype.render=me,B=[],de=0,dt=function(t,e){return t.__v.__b-e.__v.__b},ce=Symbol(),ht=/(PointerCapture)$|Capture$/i,De=0,Ie={},Mn=0;var Q,M,Le,vt,He=Object.is,fe=0,Tt=[],We=[],k=y,yt=k.__b,wt=k.__r,kt=k.diffed,Mt=k.__c,St=k.unmount,Ct=k.__;function ge(t,e){k.__h&&k.__h(M,t,fe||e),fe=0;var n=M.__H||(M.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function H(t){return fe=1,Nn(Pt,t)}function Nn(t,e,n){var o=ge(Q++,2);if(o.t=t,!o.__c&&(o.__=[n?n(e):Pt(void 0,e),function(r){var a=(o.__N||o.__)[0],s=o.t(a,r);He(a,s)||(o.__N=[s,o.__[1]],o.__c.setState({}))}],o.__c=M,!M.__f)){M.__f=!0;var i=M.shouldComponentUpdate;M.shouldComponentUpdate=function(r,a,s){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=r;if(c.__.some(function(g){g.__N&&(d=!0,He(g.__[0],g.__N[0])||(p=!0))}),i){var m=i.call(this,r,a,s);return d?m||p:m}return!d||p}}return o.__}function _e(t,e){var n=ge(Q++,3);!k.__s&&Xe(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,M.__H.__h.push(n))}function $e(t,e){var n=ge(Q++,4);!k.__s&&Xe(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,M.__h.push(n))}function R(t){return fe=5,w(function(){return{current:t}},[])}function w(t,e){var n=ge(Q++,7);return Xe(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function Fn(){var t;do{for(;t=We.shift();)try{oe(t)}catch(n){k.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=Tt.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(oe),e.__h.some(qe),e.__h=[]}catch(n){e.__h=[],k.__e(n,t.__v)}}}while(We.length)}k.__b=function(t){M=null,yt&&yt(t)},k.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),Ct&&Ct(t,e)},k.__r=function(t){wt&&wt(t),Q=0;var e=(M=t.__c).__H;e&&(Le==M?M.__h=[]:(e.__h.some(oe),e.__h.some(qe),Q=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Le=M},k.diffed=function(t){kt&&kt(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&zt(Tt.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Le=M=null},k.__c=function(t,e){e.some(function(n){try{n.__h.some(oe),n.__h=n.__h.filter(function(o){return!o.__||qe(o)})}catch(o){n.__h=[function(){throw o}]}}),Mt&&Mt(t,e)},k.unmount=function(t){St&&St(t);var e,n,o=t.__c;o&&o.__H&&(o.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,zt(We.push(i))}else oe(i)}catch(r){e=r}}),o.__H=void 0,e&&k.__e(e,o.__v))};var At=typeof requestAnimationFrame=="function";function In(t){var e,n=function(){clearTimeout(o),At&&cancelAnimationFrame(e),setTimeout(t)},o=setTimeout(n,35);At&&(e=requestAnimationFrame(n))}function zt(t){t!=1&&vt==k.requestAnimationFrame||((vt=k.requestAnimationFrame)||In)(Fn)}function oe(t){var e=M,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),M=e}function qe(t){var e=M;t.__c=t.__(),M=e}function Xe(t,e){return!t||t.length!=e.length||e.some(function(n,o){return!He(n,t[o])})}function Pt(t,e){return typeof e=="function"?e(t):e}var Nt=function(t,e,n,o){var i;e[0]=0;for(var r=1;r<e.length;r++){var a=e[r++],s=e[r]?(e[0]|=a?1:2,n[e[r++]]):e[++r];a===3?o[0]=s:a===4?o[1]=Object.assign(o[1]||{},s):a===5?(o[1]=o[1]||{})[e[++r]]=s:a===6?o[1][e[++r]]+=s+"":a?(i=t.apply(s,Nt(t,s,n,["",null])),o.push(i),s[0]?e[0]|=2:(e[r-2]=0,e[r]=i)):o.push(s)}return o},Et=new Map;function Ft(t){var e=Et.get(this);return e||(e=new Map,Et.set(this,e)),(e=Nt(this,e.get(t)||(e.set(t,e=(function(n){for(var o,i,r=1,a="",s="",c=[0],d=function(g){r===1&&(g||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,g,a):r===3&&(g||a)?(c.push(3,g,a),r=2):r===2&&a==="..."&&g?c.push(4,g,0):r===2&&a&&!g?c.push(5,0,!0,a):r>=5&&((a||!g&&r===5)&&(c.push(r,0,a,i),r=6),g&&(c.push(r,g,0,i),r=6)),a=""},p=0;p<n.length;p++){p&&(r===1&&d(),d(p));for(var m=0;m<n[p].length;m++)o=n[p][m],r===1?o==="<"?(d(),c=[c],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:s?o===s?s="":a+=o:o==='"'||o==="'"?s=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,i=a,a=""):o==="/"&&(r<5||n[p][m+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):a+=o),r===3&&a==="!--"&&(r=4,c=c[0])}return d(),c})(t)),e),arguments,[])).length>1?e:e[0]}var h=Ft.bind(ut);function T({width:t,height:e,draw:n,deps:o,label:i,name:r,opacity:a}){let s=R(null),c=R(null);return $e(()=>{let p=s.current.getContext("2d",{willReadFrequently:!0});(c.current?.width!==t||c.current.height!==e)&&(c.current=new ImageData(t,e)),n(new Uint32Array(c.current.data.buffer)),p.putImageData(c.current,0,0)},[t,e,...o]),h`<canvas
    ref=${s}
    width=${t}
    height=${e}
    data-name=${r}
    style=${{opacity:a}}
    ...${i?{role:"img","aria-label":i}:{"aria-hidden":!0}}
  />`}function z({title:t,note:e,width:n,height:o,view:i,onView:r,children:a,action:s}){let{zoom:c,x:d,y:p}=i,m=Dn(i,r);return h`<figure class="panel">
    <figcaption>
      <span class="title">${t}</span>${e!==void 0&&h`<span class="note">${e}</span>`}${s}
    </figcaption>
    <div
      class=${`frame ${c>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${m}
    >
      <div
        class=${`layers ${c>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*p}%) scale(${c})`}}
      >
        ${a}
      </div>
    </div>
  </figure>`}function W(t,e,n=.5,o=.5){let i=Math.min(16,Math.max(1,e)),r=i/t.zoom;return Ve({zoom:i,x:n-(n-t.x)*r,y:o-(o-t.y)*r})}function Ve({zoom:t,x:e,y:n}){let o=i=>Number(Math.min(0,Math.max(1-t,i)).toFixed(4))||0;return{zoom:Number(t.toFixed(3)),x:o(e),y:o(n)}}function Dn(t,e){let n=R(new Map),o=R(t);o.current=t;let i=r=>{let a=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-a.left)/a.width,y:(r.clientY-a.top)/a.height}};return{onPointerDown(r){n.current.set(r.pointerId,i(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){let a=n.current.get(r.pointerId);if(!a)return;let s=i(r),c=[...n.current].find(([d])=>d!==r.pointerId)?.[1];if(n.current.set(r.pointerId,s),c){let d=m=>Math.hypot(m.x-c.x,m.y-c.y)||.001,p={x:(s.x+c.x)/2,y:(s.y+c.y)/2};e(W(o.current,o.current.zoom*d(s)/d(a),p.x,p.y))}else o.current.zoom>1&&e(Ve({zoom:o.current.zoom,x:o.current.x+s.x-a.x,y:o.current.y+s.y-a.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:a,y:s}=i(r);e(o.current.zoom>1?{zoom:1,x:0,y:0}:W(o.current,3,a,s))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:a,y:s}=i(r);e(W(o.current,o.current.zoom*Math.exp(-r.deltaY/200),a,s))},onKeyDown(r){let{zoom:a,x:s,y:c}=o.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")e(W(o.current,a*1.5));else if(r.key==="-")e(W(o.current,a/1.5));else if(r.key==="0")e({zoom:1,x:0,y:0});else if(d&&a>1)e(Ve({zoom:a,x:s+d[0],y:c+d[1]}));else return;r.preventDefault()}}}var On=new Intl.NumberFormat("en-US"),re=t=>On.format(t),C=(t,e=0)=>`${(100*t).toFixed(e)} %`,S=t=>C(t,t>.0995&&t<.995?0:1),xe=t=>({ins_del:"insertion − deletion"})[t]??t.replaceAll("_"," ");function F({label:t,value:e,options:n,onChange:o}){return h`<div class="field">
    <span class="label">${t}</span>
    <div class="segmented" role="group" aria-label=${t}>
      ${n.map(([i,r])=>h`<button type="button" key=${i} aria-pressed=${i===e} onClick=${()=>o(i)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function U({label:t,value:e,min:n,max:o,step:i,text:r,name:a,onInput:s,ends:c}){let d=`${100*(e-n)/(o-n||1)}%`;return h`<label class="field slider">
    <span class="label">${t} <output>${r}</output></span>
    <input
      type="range"
      data-name=${a}
      min=${n}
      max=${o}
      step=${i}
      value=${e}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${p=>s(Number(p.currentTarget.value))}
    />
    ${c&&h`<span class="ends"><span>${c[0]}</span><span>${c[1]}</span></span>`}
  </label>`}function be({label:t,checked:e,onChange:n}){return h`<label class="check">
    <input
      type="checkbox"
      checked=${e}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${t}
  </label>`}function ve({label:t,value:e,options:n,onChange:o}){return h`<label class="field">
    <span class="label">${t}</span>
    <select value=${e} onChange=${i=>o(Number(i.currentTarget.value))}>
      ${n.map(([i,r])=>h`<option key=${i} value=${i} selected=${i===e}>${r}</option>`)}
    </select>
  </label>`}function Ge({text:t,label:e}){let[n,o]=H(!1);return h`<button type="button" class="button" onClick=${async()=>{await Rn(t)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":e}
  </button>`}async function Rn(t){try{return await navigator.clipboard.writeText(t),!0}catch{let e=Object.assign(document.createElement("textarea"),{value:t});document.body.append(e),e.select();let n=document.execCommand("copy");return e.remove(),n}}var Un=[228,60,42],jn=[44,112,200],ye=[[228,116,0],[0,114,178]],Bn=[17,140,90],Ln=[.05,.15,.3],It=Wn();function K(t){let e=Float64Array.from(t,r=>Number.isFinite(r)?r:0),n=e.slice().sort(),[o,i]=[Ke(n,1-.995),Ke(n,.995)];return o<0&&-o>.05*Math.max(i,0)?e.map(r=>we(r/Math.max(i,-o),-1,1)):(i<=o&&([o,i]=[n[0],n[n.length-1]]),e.map(r=>i>o?we((r-o)/(i-o),0,1):0))}function q(t,e,n){for(let o=0;o<t.length;o++){let i=Math.abs(e[o]);t[o]=It[Math.round(255*i)]&16777215|Math.round(255*n*i**.9)<<24}}function Dt(t,e,n){for(let o=0;o<t.length;o++)t[o]=ie(e[o]>0?Un:jn,n*Math.abs(e[o])**.6)}function Ot(t,e,n,o){t.fill(0),Ln.forEach((i,r)=>{let a=i*t.length,s=It[[255,200,140][r]];for(let c=0;c<t.length;c++)e[c]<a&&Hn(e,c,n,a)&&(t[c]=s&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function Hn(t,e,n,o){let i=e%n;return i>0&&t[e-1]>=o||i<n-1&&t[e+1]>=o||e>=n&&t[e-n]>=o||e+n<t.length&&t[e+n]>=o}function Rt(t,e,n,o){let i=ke(e);for(let r=0;r<t.length;r++){let a=e.reduce((c,d,p)=>d[r]>e[c][r]?p:c,0),s=Math.min(1,e[a][r]/i)**.75;t[r]=ie(ye[a%ye.length],a<n.length?o*n[a]*s:0)}}function Ut(t,e,n,o=-1){let i=o<0?Bn:ye[o%ye.length];for(let r=0;r<t.length;r++)t[r]=ie(i,.9*we(e[r]/n,0,1)**.75)}function ke(t){let e=t[0].map((n,o)=>Math.max(...t.map(i=>i[o]))).sort();return Ke(e,.995)||e[e.length-1]||1}function jt(t,e,n=.3){for(let o=0;o<t.length;o++){let i=e[o],r=[i&255,i>>8&255,i>>16&255],a=(r[0]+r[1]+r[2])/3;t[o]=ie(r.map(s=>.9*(a+n*(s-a))),1)}}function Ke(t,e){let n=e*(t.length-1),o=Math.floor(n),i=Math.min(o+1,t.length-1);return t[o]+(n-o)*(t[i]-t[o])}function we(t,e,n){return Math.min(n,Math.max(e,t))}function ie([t,e,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(e)<<8|Math.round(t))>>>0}function Wn(){let t=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(e,n)=>{let o=i=>t.reduceRight((r,a)=>r*(n/255)+a[i],0);return ie([0,1,2].map(i=>we(255*o(i),0,255)),1)})}function Bt(t,e,n,o,i,r){let[a,s]=r==="deletion"?[n,e]:[e,n];for(let c=0;c<t.length;c++)t[c]=o[c]<i?a[c]:s[c]}function Lt(t){let e=new Uint32Array(t.keys()).sort((o,i)=>t[i]-t[o]||o-i),n=new Uint32Array(t.length);return e.forEach((o,i)=>n[o]=i),n}function Me({counts:t,probabilities:e},n){let o=e.length/t.length,i=Math.max(0,t.findIndex(m=>m>=n)),r=n>t[t.length-1],a=r?t.length-1:i,s=t[a]===n,c=s||r||a===0?a:a-1,d=c===a?0:(n-t[c])/(t[a]-t[c]);return{values:Array.from({length:o},(m,g)=>{let[l,u]=[e[c*o+g],e[a*o+g]];return l+d*(u-l)}),measured:s,left:c,right:a}}function Ht({counts:t,top1:e},n,o){let i=e.findIndex(r=>r===n==(o==="insertion"));return i<0?null:t[i]}function Wt(t,e,n){let o=t.reduce((i,r)=>Math.abs(r-e)<Math.abs(i-e)?r:i);return Math.abs(o-e)<=n?o:e}function qt(t){let e=t[0].length,n=new Float64Array(e);for(let o=0;o<e;o++){let i=0,r=0;for(let a of t){let s=a[o]/e;i+=s,r+=s*s}n[o]=Math.sqrt(Math.max(0,r/t.length-(i/t.length)**2))}return n}function ae(t,e,n,o,i){let[r,a]=[Xt(e,o),Xt(n,i)],s=new Float64Array(o*i);for(let c=0,d=0;c<o;c++){let{low:p,high:m,share:g}=r[c];for(let l=0;l<i;l++,d++){let{low:u,high:f,share:_}=a[l],b=(1-_)*t[p*n+u]+_*t[p*n+f],v=(1-_)*t[m*n+u]+_*t[m*n+f];s[d]=(1-g)*b+g*v}}return s}function Xt(t,e){return Array.from({length:e},(n,o)=>{let i=Math.max(0,(o+.5)*t/e-.5),r=Math.min(Math.floor(i),t-1);return{low:r,high:Math.min(r+1,t-1),share:t===e?0:i-r}})}var Vt=new WeakMap;function Ye(t,e,n){let o=Vt.get(t)??new Map;return Vt.set(t,o),o.has(e)||o.set(e,n()),o.get(e)}function Je(t,e){let{height:n,width:o}=t.bundle;return Ye(t,`map ${e}`,()=>ae(t.map(e),t.rows,t.cols,n,o))}function Gt(t,e){return Ye(t,`strength ${e}`,()=>K(Je(t,e)))}function Kt(t,e,n){let{height:o,width:i}=t.bundle;return Ye(t,`step ${e} ${n}`,()=>{let[,,r,a]=t.tensor("extras.steps").shape,s=t.ofClass("extras.steps",e);return K(ae(s.subarray(n*r*a,(n+1)*r*a),r,a,o,i))})}function Se({entry:t,target:e,reference:n,direction:o,count:i,label:r,name:a="perturbed"}){let{bundle:s}=t,c=s.references[n][o];return h`<${T}
    name=${a}
    width=${s.width}
    height=${s.height}
    label=${r}
    draw=${d=>Bt(d,s.image,c,t.ranks(e),i,o)}
    deps=${[t,e,n,o,i]}
  />`}function Ce({entry:t,target:e,view:n,opacity:o,label:i}){let{width:r,height:a}=t.bundle;return h`<${T}
    name="map"
    width=${r}
    height=${a}
    draw=${c=>{n==="off"?c.fill(0):n==="contour"?Ot(c,t.ranks(e),r,o):(n==="signed"?Dt:q)(c,Gt(t,e),o)}}
    deps=${[t,e,n,o]}
    label=${i}
  />`}function N({bundle:t,color:e}){return h`<${T}
    width=${t.width}
    height=${t.height}
    deps=${[t,e]}
    draw=${n=>jt(n,t.image,e)}
  />`}function Yt({view:t}){return t==="signed"?h`<span class="key"><i class="ramp signed"></i>against to for</span>`:t==="contour"?h`<span class="key">top 5, 15, 30 %</span>`:t==="off"?h`<span class="key">map hidden</span>`:h`<span class="key"><i class="ramp"></i>low to high</span>`}var A={left:44,right:22,top:22,bottom:34};function ee(t){let{series:e,position:n,max:o,height:i=200,label:r,axis:a,marker:s,range:c=[0,1],onScrub:d,ticks:p}=t,{formatX:m=$=>C($/o),formatY:g=$=>C($)}=t,l=R(null),u=Xn(l),f=$=>A.left+(u-A.left-A.right)*$/(o||1),_=$=>i-A.bottom-(i-A.top-A.bottom)*($-c[0])/(c[1]-c[0]||1),b=w(()=>h`<g>
        ${[0,.25,.5,.75,1].map($=>c[0]+$*(c[1]-c[0])).map($=>h`<line class="grid" x1=${f(0)} x2=${f(o)} y1=${_($)} y2=${_($)} />
                <text class="tick" x=${A.left-8} y=${_($)+4} text-anchor="end">${g($)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map($=>$*o)).map($=>h`<text class="tick" x=${f($)} y=${i-A.bottom+16} text-anchor="middle"
              >${m($)}</text
            >`)}
        <text class="tick" x=${(f(0)+f(o))/2} y=${i-3} text-anchor="middle">${a}</text>
        ${s&&h`<line class=${`marker ${s.good?"good":""}`} x1=${f(s.at)} x2=${f(s.at)} y1=${A.top} y2=${i-A.bottom} />`}
        ${e.map($=>h`<${qn} key=${$.name} series=${$} toX=${f} toY=${_} />`)}
        ${s&&h`<text
            class=${`marker-text ${s.good?"good":""}`}
            text-anchor=${s.at>.6*o?"end":"start"}
            x=${f(s.at)+(s.at>.6*o?-6:6)}
            y=${A.top-8}
            >${s.text}</text
          >`}
      </g>`,[e,u,i,o,s?.at,s?.text]),v=$=>{let P=$.currentTarget.getBoundingClientRect(),J=($.clientX-P.left-A.left)/(u-A.left-A.right);d?.(Math.min(1,Math.max(0,J))*o)};return h`<div class="chart" ref=${l}>
    <svg width=${u} height=${i} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d&&{onPointerDown($){$.currentTarget.setPointerCapture($.pointerId),v($)},onPointerMove:$=>$.buttons&&v($)}}>
      ${b}
    </svg>
    ${n!==void 0&&h`<div
        class="cursor"
        style=${{transform:`translateX(${f(n)}px)`,top:`${A.top-4}px`,height:`${i-A.top-A.bottom+4}px`}}
      ></div>`}
  </div>`}function qn({series:t,toX:e,toY:n}){let o=t.x.map((r,a)=>[e(r),n(t.y[a])]).filter(([,r])=>Number.isFinite(r)),i=o.map(([r,a])=>`${r.toFixed(1)},${a.toFixed(1)}`).join(" ");return h`<g
    class=${["series",t.strong&&"strong",t.dashed&&"dashed",t.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:t.color}}
  >
    <polyline points=${i} />
    ${!t.plain&&o.map(([r,a])=>h`<circle cx=${r.toFixed(1)} cy=${a.toFixed(1)} r=${t.strong?3.2:1.8} />`)}
  </g>`}function Xn(t){let[e,n]=H(480);return $e(()=>{let o=t.current,i=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(i);return r.observe(o),i(),()=>r.disconnect()},[]),e}var Ze={deletion:"removed",insertion:"shown"};function Ae({chosen:t,set:e,series:n,flip:o,valueText:i}){let{bundle:r,direction:a,count:s,reference:c}=t,d=Ze[a],p=w(()=>o==null?null:{at:o,...a==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,a]);return h`<div class="scrubber">
    <div class="row">
      <${F}
        label="Test by"
        value=${a}
        onChange=${m=>e({direction:m,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&h`<${F}
          label=${a==="deletion"?"Replace by":"Start from"}
          value=${r.references[c].name}
          onChange=${m=>e({reference:m})}
          options=${r.references.map(m=>[m.name,m.name])}
        />`}
    </div>
    <${ee}
      series=${n}
      position=${s}
      max=${r.pixels}
      marker=${p}
      onScrub=${m=>e({count:Jt(t,m)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${Qe} name="scrub" chosen=${t} set=${e} valueText=${i} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${C(s/r.pixels,1)} · ${re(s)} pixels ${d}</span>
    </p>
  </div>`}function Qe({name:t,chosen:e,set:n,valueText:o}){let{bundle:i,direction:r,count:a,curve:s}=e,{pixels:c}=i,d=l=>n({count:Math.min(c,Math.max(0,l))}),p=s.counts.filter(l=>l<a).at(-1),m=s.counts.find(l=>l>a),g=l=>{let u={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[l.key],f={PageUp:m??a,PageDown:p??a,Home:0,End:c}[l.key];u===void 0&&f===void 0||(l.preventDefault(),d(f??a+Math.round((u??0)*c/100)))};return h`<div class="slide">
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
      value=${a}
      aria-label=${`Pixels ${Ze[r]}`}
      aria-valuetext=${`${C(a/c,1)} of the pixels ${Ze[r]}. ${o}`}
      style=${{"--filled":`${100*a/c}%`}}
      onInput=${l=>n({count:Jt(e,Number(l.currentTarget.value))})}
      onKeyDown=${g}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${m===void 0}
      onClick=${()=>d(m??0)}
    >
      ›
    </button>
  </div>`}var Jt=({bundle:t,curve:e},n)=>Wt(e.counts,Math.round(n),.008*t.pixels);function Zt(t){let e=R(0);return(n,o)=>{if(cancelAnimationFrame(e.current),matchMedia("(prefers-reduced-motion: reduce)").matches)return t({count:o});let i=performance.now(),r=a=>{let s=Math.min(1,Math.max(0,(a-i)/700));t({count:s<1?Math.round(n+(o-n)*s*s*(3-2*s)):o}),s<1&&(e.current=requestAnimationFrame(r))};e.current=requestAnimationFrame(r)}}function I(t,e){let n=t.entries[e.method]??t.entries[0],o=Math.max(0,t.targets.indexOf(e.class)),i=Math.max(0,t.references.findIndex(r=>r.name===e.reference));return{bundle:t,entry:n,target:o,explained:t.info(t.targets[o]),reference:i,count:Math.round(Math.min(t.pixels,Math.max(0,e.count))),direction:e.direction,curve:n.curve(o,e.direction,i),view:{zoom:Math.max(1,e.zoom),x:e.x,y:e.y}}}var Y=t=>`var(--series-${t%8})`;function Qt({bundle:t,state:e,set:n}){let o=I(t,e),{target:i,reference:r,direction:a,count:s,explained:c,view:d}=o,p=w(()=>Yn(o),[t,i,r,a]),m=t.entries.map(u=>Me(u.curve(i,a,r),s).values[c.slot]),g=t.entries.map((u,f)=>`${u.method} ${S(m[f])}`).join(", "),l=w(()=>h`<section class="card scores" aria-label="Scores">
          <h2>Scores</h2>
          <${Kn} chosen=${o} state=${e} set=${n} />
        </section>
        <${Gn} chosen=${o} set=${n} />`,[t,i,r,e.sort,e.descending,e.zoom,e.x,e.y]);return h`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${c.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${a==="deletion"?"drops":"rises"}. A map is worth
        looking at if it beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${t.targets.length>1&&h`<${F}
          label="Explain"
          value=${String(c.index)}
          onChange=${u=>n({class:Number(u)})}
          options=${t.targets.map(u=>[String(u),t.className(u)])}
        />`}
      <${F}
        label="Show"
        value=${e.show}
        onChange=${u=>n({show:u})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${e.show!=="image"&&h`<${F}
          label="Map"
          value=${e.view}
          onChange=${u=>n({view:u})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(W(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(W(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>
    <div class="compare">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${c.name}</h2>
        <${Ae} chosen=${o} set=${n} series=${p} valueText=${g} />
        <p class="names">
          ${t.entries.map((u,f)=>h`<span><i class="swatch" style=${{background:ze(u,f)}}></i>${u.method}</span>`)}
        </p>
      </section>
      <section class="methods" aria-label="Methods">
        ${t.entries.map((u,f)=>h`<${Vn} key=${f} entry=${u} chosen=${o} state=${e} set=${n} color=${ze(u,f)} value=${m[f]} />`)}
      </section>
      <div class="dock"><${Qe} name="dock" chosen=${o} set=${n} valueText=${g} /></div>
      ${l}
    </div>`}function Vn({entry:t,chosen:e,state:n,set:o,color:i,value:r}){let{bundle:a,target:s,reference:c,direction:d,count:p,view:m}=e,g={width:a.width,height:a.height,view:m,onView:o},l=h`<i class="swatch" style=${{background:i}}></i>${t.method}`,u=n.show!=="image";return h`<div class="method">
    ${u&&h`<${z} ...${g} title=${l} note=${n.show==="map"?S(r):void 0}>
        <${N} bundle=${a} /><${Ce}
          entry=${t}
          target=${s}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${t.method}`}
      /><//>`}
    ${n.show!=="map"&&h`<${z}
        ...${g}
        title=${u?h`<span class="muted">${a.className(a.targets[s])}</span>`:l}
        note=${h`<b>${S(r)}</b>`}
      >
        <${Se}
          entry=${t}
          target=${s}
          reference=${c}
          direction=${d}
          count=${p}
          label=${`Perturbed by ${t.method}: ${S(r)}`}
      /><//>`}
  </div>`}function Gn({chosen:{bundle:t,target:e,view:n},set:o}){let i=t.entries.filter(s=>!s.isBaseline),r=w(()=>i.length>1?qt(i.map(s=>s.ranks(e))):null,[t,e]);if(!r)return null;let a=r.reduce((s,c)=>s+c,0)/r.length;return h`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${i.map(s=>s.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${C(a)}.
    </p>
    <${z} title="Spread of the ranks" width=${t.width} height=${t.height} view=${n} onView=${o}>
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
  </section>`}function Kn({chosen:{bundle:t,reference:e,explained:n},state:o,set:i}){let r=t.references[e].name,a=[...new Map(t.entries.flatMap(u=>u.scores.map(f=>[f.metric,f.higher_is_better])))],s=(u,f)=>{if(f==="passes")return u.cost.forwards+u.cost.backwards;let _=u.scores.filter(b=>b.metric===f&&b.target===n.index);return(_.find(b=>b.reference===r)??_.find(b=>b.reference==="all"))?.score??null},c=[...a,["passes",!1]],d=o.descending?-1:1,p=[...t.entries].sort((u,f)=>d*((s(u,o.sort)??-1/0)-(s(f,o.sort)??-1/0))),m=new Map(c.map(([u,f])=>{let _=t.entries.map(b=>s(b,u)).filter(b=>b!==null);return[u,f?Math.max(..._):Math.min(..._)]})),g=(u,f)=>i(u===o.sort?{descending:!o.descending}:{sort:u,descending:f}),l=(u,f)=>u===o.sort?o.descending?"▼":"▲":f?"↑":"↓";return h`<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">method</th>
            ${c.map(([u,f])=>h`<th
                  scope="col"
                  key=${u}
                  aria-sort=${u===o.sort?o.descending?"descending":"ascending":"none"}
                >
                  <button type="button" onClick=${()=>g(u,f)}>
                    ${xe(u)} <span aria-hidden="true">${l(u,f)}</span>
                  </button>
                </th>`)}
          </tr>
        </thead>
        <tbody>
          ${p.map(u=>h`<tr key=${t.entries.indexOf(u)}>
                <th scope="row">
                  <i class="swatch" style=${{background:ze(u,t.entries.indexOf(u))}}></i
                  >${u.method}
                </th>
                ${c.map(([f])=>{let _=s(u,f),b=_===null?"–":f==="passes"?String(Math.round(_)):_.toFixed(3);return h`<td
                    class=${f!=="passes"&&_!==null&&_===m.get(f)?"best":""}
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
    </p>`}var ze=(t,e)=>t.isBaseline?"var(--muted)":Y(e);function Yn({bundle:t,target:e,direction:n,reference:o,explained:i}){let r=t.watched.length;return t.entries.map((a,s)=>{let{counts:c,probabilities:d}=a.curve(e,n,o),p=c.map((m,g)=>d[g*r+i.slot]);return{name:`${s} ${a.method}`,color:ze(a,s),x:c,y:p,strong:!a.isBaseline,dashed:a.isBaseline}})}var en=95367431640625e-20;function tn(t,{temperatures:e,mode:n,scale:o}){let i=e.map(d=>n==="multiply"?d:1/d),r=o==="max"&&Jn(t)||1,a=t[0].length,s=t.map(()=>new Float64Array(a)),c=new Float64Array(t.length);for(let d=0;d<a;d++){let p=Math.max(...t.map(m=>m[d]));for(let m of i){let g=0;for(let l=0;l<t.length;l++)g+=c[l]=Math.exp((t[l][d]-p)/r*m);for(let l=0;l<t.length;l++)s[l][d]+=c[l]/g/i.length}}return s}function nn(t,e,n){let o=1/t.length,i=Math.max(n,en);return t.map((r,a)=>r.map((s,c)=>e[a][c]-o>i?s*e[a][c]:0))}function on(t,e){let n=1/t.length;return t[0].map((o,i)=>{let r=Math.min(...t.map(s=>Math.max(s[i],0))),a=Math.max(...e.map(s=>s[i]));return r*(1-(a-n)/(1-n))})}function rn(t,e){let n=t.map(o=>new Float64Array(o.length));for(let o=0;o<t[0].length;o++){let i=e.map(c=>c[o]),r=Math.max(...i),a=i.indexOf(r),s=Math.max(...i.filter((c,d)=>d!==a));r-s>en&&(n[a][o]=Math.max(t[a][o],0)*(r-s))}return n}function Jn(t){let e=0;for(let n of t)for(let o of n)e=Math.max(e,Math.abs(o));return e}function et(t,e,n){let o=e.map(r=>Je(t,r)),i=tn(o,n);return{distribution:i,own:nn(o,i,n.tau),won:rn(o,i),shared:on(o,i)}}function Zn(t){let e=t.split(/[\s,;]+/).filter(Boolean).map(Number);return e.length&&e.every(n=>n>=0&&n<1/0)?e:null}function an({bundle:t,state:e,set:n}){let{view:o}=I(t,e),i=t.entries.filter(x=>!x.classAgnostic),r=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],a=Math.max(0,t.targets.indexOf(e.a)),s=t.targets.includes(e.b)&&t.targets.indexOf(e.b)!==a?t.targets.indexOf(e.b):+(a===0),c=Zn(e.temperatures),d=c&&(e.mode==="multiply"||c.every(Boolean))?c:[1,5,100],p=w(()=>et(r,[a,s],{temperatures:d,mode:e.mode,scale:e.scaled?"max":null,tau:e.tau}),[r,a,s,d.join(),e.mode,e.scaled,e.tau]),m=w(()=>ke(p.own),[p]),[g,l]=[a,s].map(x=>t.className(t.targets[x])),u=[Math.min(1,2*(1-e.mix)),Math.min(1,2*e.mix)],f=p.own.map(x=>x.reduce(($,P)=>$+ +(P!==0),0)/x.length),_={width:t.width,height:t.height,view:o,onView:n},b=t.targets.map(x=>[x,t.className(x)]),v=(x,$,P,J,Z)=>h`<${N} bundle=${t} color=${0} /><${T}
        name=${x}
        width=${t.width}
        height=${t.height}
        label=${Z}
        deps=${[$,P]}
        draw=${D=>Ut(D,$,P,J)}
      />`;return h`<header class="intro">
      <h1>Why <strong class="class-a">${g}</strong> and not <strong class="class-b">${l}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR). Slide from one
        class to the other. The model gives${" "}
        ${g} ${S(t.info(t.targets[a])?.probability??0)} and ${l} ${S(t.info(t.targets[s])?.probability??0)}.
      </p>
    </header>
    <div class="choices row">
      <${ve}
        label="A"
        value=${t.targets[a]}
        options=${b}
        onChange=${x=>n(x===t.targets[s]?{a:x,b:t.targets[a]}:{a:x})}
      />
      <${ve}
        label="B"
        value=${t.targets[s]}
        options=${b}
        onChange=${x=>n(x===t.targets[a]?{a:t.targets[s],b:x}:{b:x})}
      />
      <${ve}
        label="Method"
        value=${t.entries.indexOf(r)}
        options=${i.map(x=>[t.entries.indexOf(x),x.method])}
        onChange=${x=>n({method:x})}
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
            deps=${[p,...u]}
            draw=${x=>Rt(x,p.won,u,.9)}
          />
        <//>
        <${U}
          label="From A to B"
          name="mix"
          value=${e.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${Qn(e.mix,g,l)}
          onInput=${x=>n({mix:x})}
          ends=${[h`<b class="class-a">${g}</b>`,h`<b class="class-b">${l}</b>`]}
        />
      </section>
      <section class="parts">
        <${z}
          ...${_}
          title=${h`<i class="swatch class-a"></i>Only for ${g}`}
          note=${`${C(f[0])} of the pixels`}
          >${v("own-a",p.own[0],m,0,`Evidence that ${g} keeps`)}<//
        >
        <${z}
          ...${_}
          title=${h`<i class="swatch class-b"></i>Only for ${l}`}
          note=${`${C(f[1])} of the pixels`}
          >${v("own-b",p.own[1],m,1,`Evidence that ${l} keeps`)}<//
        >
        <${z} ...${_} title=${h`<i class="swatch class-shared"></i>Shared`}
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
              onChange=${x=>n({temperatures:x.currentTarget.value})}
          /></label>
          <${F}
            label="They are"
            value=${e.mode}
            onChange=${x=>n({mode:x})}
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
            onInput=${x=>n({tau:x})}
          />
          <${be}
            label="Scale the maps to a largest value of 1 first"
            checked=${e.scaled}
            onChange=${x=>n({scaled:x})}
          />
        </div>
      </section>
    </div>`}function Qn(t,e,n){return t===.5?"both":t<.5?t===0?`only ${e}`:`mostly ${e}`:t===1?`only ${n}`:`mostly ${n}`}function sn(t,e,n){let o=Array.from(t),i=o.map((s,c)=>s>=n?1-(c+1)/o.length:s),r=Math.max(...i),a=Math.max(...o)/(r>0?r:1);return o.map((s,c)=>(1-e)*s+e*i[c]*a)}function cn(t,e){let n=new Float64Array(t.length);return t.forEach((o,i)=>n[e[i]]=o),n}var tt=["extras.order","extras.sparse"];function Te(t,e,n){let o=Number(t.options.kappa??.005),i=sn(t.ofClass("extras.sparse",e),n,o);return{ranked:i,map:cn(i,t.ofClass("extras.order",e))}}function ln({bundle:t,state:e,set:n}){let{target:o,view:i,explained:r}=I(t,e),a=t.entries.filter(f=>f.has(...tt)),s=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],c=Math.min(1,Math.max(0,e.gamma)),{ranked:d,map:p}=w(()=>Te(s,o,c),[s,o,c]),m=w(()=>Te(s,o,0).ranked,[s,o]),g=w(()=>K(ae(p,s.rows,s.cols,t.height,t.width)),[p]),l=d.map((f,_)=>_+1),u=w(()=>[{name:"sparse",color:"var(--muted)",x:l,y:m,plain:!0},{name:"now",color:"var(--series-0)",x:l,y:d,strong:!0,plain:!0}],[d]);return h`<header class="intro">
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
          view=${i}
          onView=${n}
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
          series=${u}
          max=${l.length}
          range=${[0,Math.max(...m)||1]}
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
          onInput=${f=>n({gamma:f})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function pn({classes:t,values:e,measured:n,explained:o,winner:i}){return h`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${t.map(({index:r,name:a,slot:s,probability:c})=>h`<li
          key=${r}
          data-class=${r}
          data-probability=${e[s]}
          class=${`${r===o?"explained":""} ${r===i?"winner":""}`}
          style=${{color:Y(s)}}
        >
          <span class="name" title=${a}>${a}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${e[s]})`}}></i><b style=${{left:`${100*c}%`}}></b
          ></span>
          <span class="value">${S(e[s])}</span>
        </li>`)}
  </ul>`}function dn({chosen:{bundle:t,entry:e,target:n,reference:o,explained:i}}){let r=t.references[o].name,a=e.scores.filter(d=>d.target===i.index&&d.reference===r),s=Object.entries(e.checks).filter(([,d])=>!d[n]),c=Object.entries(e.options).map(([d,p])=>`${d}=${JSON.stringify(p)}`);return h`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${e.about&&h`<p>${e.about}</p>`}
    <dl>
      ${a.map(d=>h`<div>
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
          ${s.length?h`<b class="bad">failed: ${s.map(([d])=>d).join(", ")}</b>`:`passed: ${Object.keys(e.checks).join(", ")}`}
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
      />${e.citation&&h`<${Ge} text=${e.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${e.code}</pre>
    </details>
    ${e.citation&&h`<details>
        <summary>Citation</summary>
        <pre>${e.citation}</pre>
      </details>`}
  </section>`}function hn({bundle:t,state:e,set:n}){let o=I(t,e),{entry:i,target:r,reference:a,direction:s,count:c,curve:d,explained:p}=o,m=w(()=>Ht(d,t.prediction,s),[i,r,a,s]),g=w(()=>io(o),[i,r,a,s]),l=Me(d,c),u=Zt(n),f=C(c/t.pixels),_={width:t.width,height:t.height,view:o.view,onView:n},b=w(()=>{let $=h`<${Ce}
      entry=${i}
      target=${r}
      view=${e.view}
      opacity=${e.opacity}
      label=${`Map by ${i.method} for ${p.name}`}
    />`,P=h`<${Yt} view=${e.view} />`;return{layer:$,top:h`<${eo} chosen=${o} /><${to} chosen=${o} set=${n} />`,map:e.side&&h`<${z} ...${_} title="The map" note=${P}><${N} bundle=${t} />${$}<//>`,controls:h`<${no} state=${e} set=${n} />`,facts:h`<${dn} chosen=${o} />`}},[i,r,a,s,e.view,e.opacity,e.side,e.zoom,e.x,e.y]),v=s==="deletion"?"removed":"shown",x=c?`${f} ${v}`:s==="deletion"?"untouched":"nothing yet";return h`${b.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${e.side?"two":"one"}`}>
          <${z} ...${_} title="What the model sees" note=${x}>
            <${Se}
              entry=${i}
              target=${r}
              reference=${a}
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
          chosen=${o}
          set=${n}
          series=${g}
          flip=${m}
          valueText=${`${p.name} ${S(l.values[p.slot])}`}
        />
        <${oo} chosen=${o} flip=${m} onGo=${()=>m!==null&&u(c,m)} />
        <${ro} chosen=${o} now=${l} />
        <${pn}
          classes=${t.watched}
          values=${l.values}
          measured=${l.measured}
          explained=${p.index}
          winner=${l.measured?d.top1[l.left]:null}
        />
      </section>
      ${b.facts}
    </div>`}function eo({chosen:{bundle:t,entry:e,explained:n,direction:o}}){let i=t.info(t.prediction),r=n.index!==t.prediction,a=o==="deletion"?"Drag along the curve to remove its most important pixels first: if the map is right, the model changes its mind early.":"Drag along the curve to show only its most important pixels: if the map is right, the model recognizes the image early.";return h`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${i&&h` <span class="muted">with ${S(i.probability)} probability</span>`}
    </h1>
    <p>
      ${e.isBaseline?h`<code>${e.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:h`The map shows where <code>${e.method}</code> finds the evidence
              for <b>${n.name}</b>${r&&` (${S(n.probability)})`}.`} ${a}
    </p>
  </header>`}function to({chosen:{bundle:t,entry:e,explained:n},set:o}){return h`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${t.targets.map(i=>{let r=t.info(i);return h`<button
            type="button"
            class="chip"
            key=${i}
            aria-pressed=${i===n.index}
            onClick=${()=>o({class:i})}
          >
            <i style=${{background:Y(r.slot)}}></i>${r.name}
            <span>${S(r.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${t.entries.map((i,r)=>h`<button
              type="button"
              class="chip"
              key=${r}
              aria-pressed=${i===e}
              title=${i.about}
              onClick=${()=>o({method:r})}
            >
              ${i.method}${i.isBaseline&&h` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function no({state:t,set:e}){return h`<div class="row controls">
    <${F}
      label="Map"
      value=${t.view}
      onChange=${n=>e({view:n})}
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
      onInput=${n=>e({opacity:n})}
    />
    <${be} label="Side by side" checked=${t.side} onChange=${n=>e({side:n})} />
    ${t.zoom>1&&h`<button type="button" class="button" onClick=${()=>e({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function oo({chosen:{bundle:t,direction:e,curve:n},flip:o,onGo:i}){let r=t.className(t.prediction),a=e==="deletion"?"Remove until the decision flips":`Add until the model says ${r}`;if(o===null)return h`<p class="flip muted">
      ${e==="deletion"?`The model says ${r} at every measured point.`:`The model never says ${r} on this curve.`}
    </p>`;let s=t.className(n.top1[n.counts.indexOf(o)]);return h`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${o} onClick=${i}>${a}</button>
    <span class="muted"
      >at ${C(o/t.pixels)}, the smallest measured
      step${e==="deletion"&&`; then it says ${s}`}</span
    >
  </p>`}function ro({chosen:{bundle:t,curve:e,explained:n},now:o}){let i=c=>t.className(e.top1[c]),r=c=>C(e.counts[c]/t.pixels);if(!o.measured){let c=i(o.left)===i(o.right);return h`<p class="verdict">
      Between two measured points: ${n.name} about <b>${S(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${r(o.left)} and ${r(o.right)}: ${c?i(o.left):`${i(o.left)}, then ${i(o.right)}`}.
      </span>
    </p>`}let a=e.top1[o.left]!==t.prediction,s=t.info(e.top1[o.left]);return h`<p class=${`verdict ${a?"changed":""}`}>
    The model ${a?"now says":"says"} <b>${i(o.left)}</b>${s?h` with <b>${S(o.values[s.slot])}</b>`:" (not among the watched classes)"}.
  </p>`}function io({bundle:t,curve:e,explained:n}){let o=t.watched.length;return t.watched.map(({name:r,slot:a,index:s})=>({name:r,color:Y(a),x:e.counts,y:e.counts.map((c,d)=>e.probabilities[d*o+a]),strong:s===n.index})).sort((r,a)=>Number(r.strong)-Number(a.strong))}var nt=["extras.steps","extras.objective"];function un({bundle:t,state:e,set:n}){let{target:o,view:i,explained:r}=I(t,e),a=t.entries.filter(_=>_.has(...nt)),s=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],c=s.tensor("extras.steps").shape[1]-1,d=Math.round(Math.min(c,Math.max(0,e.step))),[p,m]=H(!1);_e(()=>{if(!p)return;let _=setTimeout(()=>d<c?n({step:d+1}):m(!1),250);return()=>clearTimeout(_)},[p,d,c]);let g=w(()=>Array.from(s.ofClass("extras.objective",o)),[s,o]),l=g.filter(Number.isFinite),u=w(()=>[{name:"objective",color:"var(--series-0)",x:g.map((_,b)=>b),y:g,strong:!0}],[g]),f=()=>{!p&&d===c&&n({step:0}),m(!p)};return h`<header class="intro">
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
          view=${i}
          onView=${n}
        >
          <${N} bundle=${t} />
          <${T}
            name="film"
            width=${t.width}
            height=${t.height}
            deps=${[s,o,d]}
            label=${`Map after ${d} steps`}
            draw=${_=>q(_,Kt(s,o,d),.9)}
        /><//>
      </section>
      <section class="card">
        <h2>Objective</h2>
        <${ee}
          series=${u}
          position=${d}
          max=${c}
          range=${ao(l)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(c/2),c]}
          formatX=${String}
          formatY=${_=>_.toFixed(2)}
          onScrub=${_=>n({step:Math.round(_)})}
        />
        <${U}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${c}
          step=${1}
          text=${`${d} of ${c}`}
          onInput=${_=>n({step:_})}
        />
        <button type="button" class="button primary" onClick=${f}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function ao(t){if(!t.length)return[0,1];let[e,n]=[Math.min(...t),Math.max(...t)],o=.1*(n-e||1);return[e-o,n+o]}var so=[{name:"explain",title:"Explain",screen:hn,offered:()=>!0},{name:"compare",title:"Compare",screen:Qt,offered:t=>t.entries.length>1},{name:"contrast",title:"A or B",screen:an,offered:t=>t.targets.length>1&&t.entries.some(e=>!e.classAgnostic)},{name:"density",title:"Density",screen:ln,offered:t=>t.entries.some(e=>e.has(...tt))},{name:"film",title:"Film",screen:un,offered:t=>t.entries.some(e=>e.has(...nt))}];function mn({bundles:t,store:e}){let[n,o]=H(e.state);_e(()=>{let c=()=>o(e.state);return e.listeners.push(c),c(),()=>{e.listeners.splice(e.listeners.indexOf(c),1)}},[]);let i=t[n.image]===void 0?0:n.image,r=t[i];if(!r)return h`<p class="intro">Reading the image…</p>`;let a=so.filter(c=>c.offered(r)),s=a.find(c=>c.name===n.screen)??a[0];return h`<nav class="top" aria-label="Explorer">
      <span class="brand">seewhy</span>
      ${a.length>1&&h`<${co} screens=${a} current=${s.name} onChange=${c=>e.set({screen:c})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${t.length>1&&h`<${lo} bundles=${t} current=${i} onChange=${c=>e.set({image:c,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${s.title} data-screen=${s.name}>
      <${s.screen} key=${i} bundle=${r} state=${n} set=${e.set} />
    </div>`}function co({screens:t,current:e,onChange:n}){return h`<div class="tabs" role="tablist" onKeyDown=${i=>{let r={ArrowLeft:-1,ArrowRight:1}[i.key];if(!r)return;let s=(t.findIndex(c=>c.name===e)+r+t.length)%t.length;n(t[s].name),i.currentTarget.children[s].focus()}}>
    ${t.map(({name:i,title:r})=>h`<button
          type="button"
          role="tab"
          key=${i}
          aria-selected=${i===e}
          tabindex=${i===e?0:-1}
          onClick=${()=>n(i)}
        >
          ${r}
        </button>`)}
  </div>`}function lo({bundles:t,current:e,onChange:n}){return h`<div class="strip" role="group" aria-label="Images">
    ${t.map((o,i)=>h`<button type="button" key=${i} aria-pressed=${i===e} onClick=${()=>n(i)}>
          ${o?h`<${T} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:h`<span class="blank"></span>`}
          <span
            >${o?`${o.className(o.prediction)} ${S(o.info(o.prediction)?.probability??0)}`:"…"}</span
          >
        </button>`)}
  </div>`}var fn={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I32:Int32Array,F32:Float32Array};function gn(t,{packed:e=!1}={}){let n=new DataView(t.buffer,t.byteOffset,t.byteLength),o=8+Number(n.getBigUint64(0,!0)),i=JSON.parse(new TextDecoder().decode(t.subarray(8,o))),r=new Map;for(let[a,s]of Object.entries(i)){if(a==="__metadata__")continue;let[c,d]=s.data_offsets,p=t.slice(o+c,o+d),m=s.shape,g=e?po(p,fn[s.dtype].BYTES_PER_ELEMENT):p,l=new fn[s.dtype](g.buffer);e&&s.dtype.startsWith("U")&&ho(l,m[m.length-1]),r.set(a,{values:l,shape:m})}return{metadata:i.__metadata__??{},tensors:r}}function po(t,e){let n=t.length/e,o=new Uint8Array(t.length);for(let i=0;i<e;i++)for(let r=0;r<n;r++)o[r*e+i]=t[i*n+r];return o}function ho(t,e){for(let n=0;n<t.length;n++)t[n]=t[n]>>>1^-(t[n]&1);for(let n=e;n<t.length;n++)t[n]+=t[n-e];for(let n=1;n<t.length;n++)n%e&&(t[n]+=t[n-1])}var uo=["deletion","insertion"],mo=["random","center"],rt=class{constructor(e,n,o){this.bundle=o,this.method=e.method,this.about=e.about,this.options=e.options,this.classAgnostic=e.class_agnostic,this.cost=e.cost,this.checks=e.checks,this.scores=e.scores,this.citation=e.citation,this.code=e.code,this.tensors=n,this.sorted=new Map;let[,i,r]=this.tensor("maps").shape;this.rows=i,this.cols=r,this.isBaseline=mo.includes(this.method)}tensor(e){let n=this.tensors.get(e);if(!n)throw new Error(`the bundle holds no ${e} of ${this.method}`);return n}has(...e){return e.every(n=>this.tensors.has(n))}ofClass(e,n){let{values:o,shape:i}=this.tensor(e),r=o.length/i[0],a=i[0]===1?0:n;return o.subarray(a*r,(a+1)*r)}map(e){return this.ofClass("maps",e)}ranks(e){if(this.has("ranks"))return this.ofClass("ranks",e);let n=this.sorted.get(e)??Lt(this.map(e));return this.sorted.set(e,n),n}curve(e,n,o){let i=this.bundle.counts[n],r=this.bundle.references.length,a=uo.indexOf(n)*r+o,s=this.bundle.watched.length,c=this.ofClass("probabilities",e),d=this.ofClass("top1",e),p=i.length;return{counts:i,probabilities:c.subarray(a*p*s,(a+1)*p*s),top1:d.subarray(a*p,(a+1)*p)}}},it=class{constructor(e,n){this.name=e.name,this.model=e.model,this.targets=e.targets,this.prediction=e.prediction,this.counts=e.counts,this.classNames=e.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=ot(o,this.pixels),this.watched=e.watched.map((i,r)=>({index:i,slot:r,name:this.className(i),probability:e.probabilities[r]})),this.references=e.references.map(i=>({name:i,deletion:ot(n.get(`references.${i}.deletion`),this.pixels),insertion:ot(n.get(`references.${i}.insertion`),this.pixels)})),this.entries=e.explanations.map((i,r)=>new rt(i,fo(n,`explanations.${r}.`),this))}className(e){return(this.classNames[e]??`class ${e}`).split(",")[0]}info(e){return this.watched.find(n=>n.index===e)}};async function _n(t){let e=Uint8Array.from(atob(t.trim()),a=>a.charCodeAt(0)),n=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),o=new Uint8Array(await new Response(n).arrayBuffer()),{metadata:i,tensors:r}=gn(o,{packed:!0});return new it(JSON.parse(i.seewhy),r)}function ot({values:t},e){let n=t.length/3,o=new Uint8ClampedArray(e*4);for(let i=0,r=0;i<e;i++,r+=4){let a=n===1?0:i;o[r]=t[a],o[r+1]=t[n+a],o[r+2]=t[2*n+a],o[r+3]=255}return new Uint32Array(o.buffer)}function fo(t,e){return new Map([...t].filter(([n])=>n.startsWith(e)).map(([n,o])=>[n.slice(e.length),o]))}var bn={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,tau:0,mix:.5,gamma:0,step:0},$n={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"]};function xn(t){let e=new URLSearchParams(t.replace(/^#/,"")),n=Object.entries(bn).map(([o,i])=>[o,go(o,e.get(o),i)]);return Object.fromEntries(n)}function go(t,e,n){return e===null?n:typeof n=="boolean"?e==="1":typeof n=="number"?e.trim()&&Number.isFinite(Number(e))?Number(e):n:$n[t]&&!$n[t].includes(e)?n:e}function _o(t){let e=new URLSearchParams;for(let[n,o]of Object.entries(bn)){let i=t[n];i!==o&&e.set(n,typeof i=="boolean"?i?"1":"0":String(i))}return e.toString()}var Pe=class{constructor(){this.state=xn(location.hash),this.listeners=[],this.pending=0,addEventListener("hashchange",()=>this.change(xn(location.hash)))}set=e=>{this.change({...this.state,...e}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};change(e){this.state=e,this.listeners.forEach(n=>n())}write(){let e=_o(this.state);try{history.replaceState(null,"",e?`#${e}`:location.pathname+location.search)}catch{}}};var vn=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--card);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.stage{min-width:0}.stage>.panel,.contrast .stage>.slider{max-width:clamp(320px,58vh,620px)}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,8fr);gap:20px;align-items:start}.curves{position:sticky;top:12px}.methods{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:16px 14px;min-width:0}.method{display:grid;gap:4px;align-content:start;min-width:0}.scores{grid-column:2}.disagreement{grid-column:1;grid-row:2}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:24px;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.methods{order:-1}.curves{position:static}.scores,.disagreement{grid-column:1;grid-row:auto}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var yn=new CSSStyleSheet;yn.replaceSync(vn);document.adoptedStyleSheets=[...document.adoptedStyleSheets,yn];var wn=document.getElementById("explorer"),Ee=[...document.querySelectorAll("script[data-bundle]")].map(t=>t.textContent??""),at=Ee.map(()=>null),Ne=new Pe;xo().catch(t=>{wn.textContent=`This file cannot be read: ${t.message}`});async function xo(){let t=Ee[Ne.state.image]===void 0?0:Ne.state.image;for(let e of[t,...Ee.keys()].filter((n,o,i)=>i.indexOf(n)===o))at[e]=await _n(Ee[e]),bt(h`<${mn} bundles=${[...at]} store=${Ne} />`,wn),await new Promise(n=>setTimeout(n))}Object.assign(globalThis,{seewhyExplorer:{bundles:at,store:Ne,contrastClasses:et,densityMap:Te}});
